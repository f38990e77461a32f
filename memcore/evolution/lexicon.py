"""The closed word lists of the English extractor, in one place so that a page of reading shows them.

Lists were taken over a learned classifier: no labelled data may be shipped, and a wrong drop can be
explained by the word that caused it. They are general English; none was made for a data set.
"""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FEMALE: Final = _words(
    "mother mom mum mama grandmother grandma granny sister daughter wife aunt niece girlfriend woman"
    " girl lady bride queen actress waitress granddaughter stepmother stepsister mrs ms miss"
)
MALE: Final = _words(
    "father dad papa grandfather grandpa brother son husband uncle nephew boyfriend man guy boy"
    " gentleman groom king actor waiter grandson stepfather stepbrother mr sir"
)
FEMALE_NAMES: Final = _words(
    "mary patricia jennifer linda elizabeth barbara susan jessica sarah karen nancy lisa betty sandra"
    " ashley kimberly emily donna michelle carol amanda melissa deborah stephanie rebecca sharon laura"
    " cynthia kathleen amy angela anna ana emma nicole helen samantha katherine christine debra rachel"
    " olivia sophia julia julie maria eva ruth clara ines elsa greta lucy alice grace chloe hannah lily"
    " zoe mia ella nina sofia elena irene martha diana caroline melanie joan judith rose claire ida olga"
    " frida astrid ingrid fatima aisha leila priya mei yuki"
)
MALE_NAMES: Final = _words(
    "james robert john michael david william richard joseph thomas charles christopher daniel matthew"
    " anthony mark donald steven paul andrew joshua kenneth kevin brian george timothy ronald edward"
    " jason jeffrey ryan jacob nicholas eric jonathan stephen larry justin scott brandon benjamin ben"
    " samuel gregory frank patrick jack dennis peter tom tim jim bob mike dave steve nick max leo oscar"
    " hugo felix lucas matteo luca marco pedro juan carlos diego omar ali ahmed ivan boris hans lars erik"
    " sven karl otto henry arthur simon adam aaron nathan nate jon"
)
NEUTER_PERSON: Final = _words(
    "friend partner cousin boss manager colleague coworker neighbor neighbour teacher doctor nurse"
    " roommate child kid baby toddler parent person student coach therapist mentor teammate classmate"
    " fiance fiancee sibling twin girlfriend spouse lawyer dentist landlord client customer artist"
    " singer player chef professor instructor tutor trainer buddy mate employee stranger"
    " producer director actor author publisher owner leader member guest host volunteer veteran resident"
    " fan hero heroine champion judge mayor president politician citizen donor sponsor investor dancer"
    " opponent rival competitor winner editor agent writer reader driver firefighter soldier athlete"
)
PET: Final = _words("dog cat puppy kitten pup kitty rabbit hamster parrot horse pet turtle pony")
GROUP: Final = _words(
    "family parents kids children friends team couple crowd band group siblings"
    " grandparents relatives colleagues coworkers neighbors neighbours students"
)
COMPANY: Final = _words(
    "husband wife partner girlfriend boyfriend family kids children friend friends sister brother mom"
    " mum dad mother father parents son daughter cousin team colleague colleagues band roommate"
    " fiance fiancee aunt uncle grandma grandpa buddy pal crew"
)
TIME_NOUN: Final = _words(
    "second minute hour day week weekend month year decade morning afternoon evening night today"
    " tomorrow yesterday tonight moment while time spring summer autumn fall winter season january"
    " february march april may june july august september october november december monday tuesday"
    " wednesday thursday friday saturday sunday date past future now noon midnight pm am"
    " christmas xmas easter halloween thanksgiving hanukkah ramadan diwali eve"
)
VAGUE_NOUN: Final = _words(
    "thing things stuff way lot lots bit kind sort type case point part reason idea fact matter place"
    " people folk stuff something anything everything nothing someone anyone everyone everybody somebody one ones"
    " some all most many much fun break chance luck sense pleasure joy love hope turn step end bunch"
    " rest number couple"
)
GREETING: Final = _words(
    "hi hey hello hiya yo morning evening bye goodbye cheers thanks thank congrats congratulations"
    " welcome wow oh ah haha lol ok okay yeah yep yup yes no nope nah sure please sorry well aww"
    " awesome great cool nice amazing hmm um uh gosh omg woohoo woo yay whoa woah yum mmm phew yikes"
    " ouch hooray absolutely definitely exactly totally"
    " anyway so alright right indeed"
)
YES: Final = _words("yes yeah yep yup sure absolutely definitely indeed totally certainly aye")
NO: Final = _words("no nope nah never")
EVALUATIVE: Final = _words(
    "great good nice awesome amazing cool fantastic wonderful lovely beautiful gorgeous incredible"
    " impressive inspiring inspirational excellent perfect sweet cute fun funny interesting super"
    " brilliant stunning adorable delicious brave strong kind special important true right sure"
    " exciting terrific tough hard rough sad bad awful terrible wild crazy neat rad sick dope lit"
    " helpful thoughtful supportive proud glad happy sorry excited welcome pretty fab outstanding"
    " epic killer powerful talented creative lucky fortunate better best magical peaceful calming"
    " relaxing refreshing touching moving meaningful rewarding worth tasty yummy precious"
    " understandable fair okay ok fine scary intense frustrating stressful challenging"
)
EXPERIENCE: Final = _words(
    "blast experience adventure feeling journey ride moment process way honor honour relief step"
    " escape act work ton challenge struggle success achievement accomplishment privilege blessing"
    " reminder memory effort change surprise shame pity mess bummer kudos"
)
"""What one calls something that happened; it is said of an event, not of the thing last named."""
ABSTRACT: Final = _words(
    "life world nature support help effect impact mix passion drive dream goal energy voice company mind head"
    " heart eye face hand foot body arm leg finger back shoulder joy happiness peace beauty strength"
    " courage faith hope belief care comfort stress fear worry doubt pain loss success failure truth"
    " idea plan detail path skill knowledge understanding compassion gratitude empathy value purpose"
    " progress future past difference growth power freedom luck fun effort attitude mindset focus"
    " atmosphere vibe encouragement feedback advice inspiration motivation confidence balance health"
    " culture tradition opportunity ability talent challenge problem issue obstacle pick choice favorite"
    " favourite country hundred thousand ton dozen bunch"
)
"""What a pronoun hardly ever means, though it was named last."""
COMMUNAL: Final = _words(
    "community country society education school veteran infrastructure world future generation"
    " environment planet government military nation state economy"
)
"""What is "ours" with everybody: it is not the speaker's own."""
PERSON_VERB: Final = _words(
    "help support guide offer give teach tell ask thank invite show encourage inspire empower motivate"
    " miss meet mentor coach welcome convince join"
)
"""What one does to persons: "them" is no thing there."""
CAUSING_VERB: Final = _words(
    "make give bring show teach help mean pay push change inspire motivate allow let keep kill break feel"
)
"""What an event does to somebody: "it gave me hope" is hardly of the thing last named."""
REACTION_VERB: Final = _words("thank congratulate appreciate agree bet wish hope welcome wonder")
COGNITION: Final = _words(
    "think believe guess suppose feel know mean say hear figure assume realize"
)
REPORT: Final = _words("think believe guess suppose know mean say hear figure assume realize tell"
                       " feel decide remember find")  # fmt: skip
ADVICE_VERB: Final = _words(
    "try visit consider check read watch talk join avoid bring add practise practice book ask drink"
    " eat use call start"
)
PLAN_VERB: Final = _words(
    "plan intend aim want hope book schedule arrange organize organise prepare"
)
CANCEL_VERB: Final = _words("cancel scrap abandon drop ditch")
DELAY_VERB: Final = _words("postpone delay reschedule move shift push change")
EVENT: Final = _words(
    "trip visit meeting wedding party appointment interview vacation holiday dinner lunch breakfast"
    " brunch concert flight conference class course surgery date exam test picnic game match show"
    " workshop tour journey festival event session call race marathon reunion ceremony hike retreat"
    " tournament competition fundraiser audition"
    " exhibition recital performance presentation project road-trip barbecue bbq move booking lesson"
)
MOVING: Final = _words(
    "be go travel fly drive head visit come return move relocate walk ride run get take bring send"
    " hike sail cycle drop trip flight journey way tour bus train ferry"
)
"""Words after which "to" leads to a place: "talk to Okafor" does not."""
STREET: Final = _words(
    "street road avenue lane square boulevard drive island beach hill river coast st rd ave"
)
TRAVEL_VERB: Final = _words("go travel fly drive head visit come return")
JOB_NOUN: Final = _words(
    "nurse teacher doctor lawyer chef cook pilot student intern freelancer volunteer clerk driver"
    " architect dentist mechanic musician electrician librarian accountant consultant assistant"
    " coach guide model secretary technician therapist vet veterinarian soldier officer judge nanny"
    " tailor poet athlete analyst agent barista cashier receptionist firefighter paramedic"
    " engineer developer programmer designer manager director writer editor author painter baker"
    " waiter waitress photographer researcher scientist professor journalist artist counselor"
    " counsellor psychologist pharmacist florist carpenter plumber gardener farmer singer dancer"
    " actor actress entrepreneur instructor lecturer principal surgeon translator salesman"
)
STATUS_ADJ: Final = _words("married single divorced engaged widowed separated")
LEAVE_VERB: Final = _words("quit leave lose resign")
START_VERB: Final = _words("start begin get take land find accept have do change switch")
LIKE_FAMILY: Final = _words("favourite")
SPELLINGS: Final = (("favorite", "favourite"), ("color", "colour"), ("canceled", "cancelled"))
NUMBER_WORD: Final = _words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety"
    " hundred thousand"
)
