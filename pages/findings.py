"""The views of an evaluation: gold loss, leaderboard, groups, questions, refusals, costs, files."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

import pandas as pd
import streamlit as st

from memcore.evaluation import report
from memcore.evaluation.opening import Place, beat_of
from memcore.evaluation.refusals import fewest_wrong
from memcore.evaluation.report import Asked, Found, Group
from memcore.evaluation.survival import KEPT, LETTERS, STAGES
from memcore.exports import evaluation as files
from memcore.views import evaluation_rows as rows
from memcore.views.evaluation_rows import Facets, Grid
from pages import address, cards, evaluating, frame, holdings
from pages.frame import words

VIEWS = ("funnel", "board", "groups", "matrix", "refusals", "costs")
GROUPS = (Group.CATEGORY, Group.DATED, Group.DIALOGUE)
MOST_WRONG = 0.1
"""Share of the answerable questions that may be refused, for the sentence over the curve."""

MOST_ROWS, TALLEST = 24, 800
"""Rows of a table that are in sight at once, and the pixels of one that has more."""

WIDTHS = {"evaluate.question": 92, "evaluate.category": 98, "evaluate.text": 236}
"""Pixels of the columns before the retrievers' in the table of questions."""

POINTS = 12
"""Points of the trade-off curve in its table."""


@frame.fragment()
def board(number: int) -> None:
    """The chosen view of what was found, and the files to take away."""
    whole = evaluating.found(number)
    here = frame.state()
    with st.container(horizontal=True, vertical_alignment="center"):
        put("show", VIEWS, "funnel")
        st.segmented_control(
            words("evaluate.view"),
            VIEWS,
            required=True,
            format_func=lambda v: words(f"evaluate.view.{v}"),
            key="evaluate_show",
            label_visibility="collapsed",
            on_change=took,
            args=("show",),
        )
        disputed = st.toggle(words("evaluate.keep_disputed"), key="evaluate_disputed")
    shown = whole if disputed else whole.undisputed()
    for system in shown.systems:
        for reason in shown.skipped(system):
            st.caption(words("evaluate.skipped", system=system, reason=reason))
    if not any(a.question.evidence_turns or a.question.evidence_sessions for a in shown.asked):
        st.info(words("evaluate.no_gold"))
    draw = {
        "funnel": funnel,
        "board": leaderboard,
        "groups": groups,
        "matrix": matrix,
        "refusals": refusals,
        "costs": costs,
    }
    draw[here.matrix.get("show", "funnel")](shown)
    cautions(shown)
    exports(shown)
    address.write_link()


def put(name: str, known: Sequence[str], otherwise: str = "") -> None:
    """Set a box to what the link or the last click chose; a value that is none here is said."""
    here = frame.state().matrix
    if here.get(name, otherwise) not in known:
        st.text(words("link.bad_value", name=name, value=here.pop(name)[:20]))
    st.session_state[f"evaluate_{name}"] = here.get(name, otherwise)


def took(name: str) -> None:
    """Keep what a box chose, for the link too."""
    here, value = frame.state().matrix, str(st.session_state[f"evaluate_{name}"] or "").strip()
    here.pop(name, None)
    if value:
        here[name] = value


def grid(found: Grid, key: str, alt: str, names: int = 1) -> None:
    """A table of text, whole; figures stand at the right, the first column stays in sight."""
    drawn = pd.DataFrame(found.rows, columns=list(found.columns))
    titles = {
        name: st.column_config.Column(pinned=not n, alignment="left" if n < names else "right")
        for n, name in enumerate(found.columns)
    }
    height: int | Literal["content"] = TALLEST if len(found.rows) > MOST_ROWS else "content"
    st.dataframe(drawn, key=key, hide_index=True, alt=alt, column_config=titles, height=height)


def funnel(found: Found) -> None:
    """Gold after each stage; a bar opens the questions that were lost there."""
    loss = report.funnels(found)
    limited = [f for f in loss if any(s.lost for s in f.stages)]  # no budget loses nothing
    st.caption(funnel_sentence(max(limited or loss, key=packed_share)))
    alt = words("evaluate.funnel_alt")
    figure = rows.funnel_figure(loss, frame.palette())
    st.plotly_chart(
        figure,
        key="evaluate_funnel",
        config=cards.CHART,
        on_select=take_bar,
        selection_mode="points",
        theme=None,
        alt=alt,
    )
    grid(rows.funnel_grid(loss), "evaluate_funnel_table", alt)


def packed_share(f: report.Funnel) -> float:
    return f.stages[STAGES.index("packed")].cell.metric.value or 0.0


def funnel_sentence(f: report.Funnel) -> str:
    worst = max(f.stages, key=lambda s: s.lost)
    if not worst.lost:
        return f"{f.system}: {words('evaluate.funnel_none')}"
    packed = f.stages[STAGES.index("packed")]
    return words(
        "evaluate.funnel_sentence",
        system=f.system,
        packed=rows.shown_share(packed.cell),
        stage=words(f"evaluate.stage.{worst.name}"),
        n=worst.lost,
    )


def take_bar() -> None:
    points = st.session_state["evaluate_funnel"]["selection"]["points"]
    if points:
        system, _, stage = str(points[0]["customdata"]).partition(" ")
        letter = LETTERS[STAGES.index(stage)]
        frame.state().matrix |= {"show": "matrix", "fate": letter, "of": system}


def chosen_metrics(found: Found, first: Sequence[str], key: str) -> dict[str, report.Figure]:
    names = tuple(rows.every())
    wanted = st.multiselect(
        words("evaluate.metrics"),
        names,
        default=[n for n in first if n in names],
        placeholder=words("frame.choose"),
        format_func=rows.metric_name,
        key=key,
    )
    every = rows.every()
    return {name: every[name] for name in wanted}


def leaderboard(found: Found) -> None:
    """Every system with its means and intervals."""
    metrics = chosen_metrics(found, rows.first(found), "evaluate_metrics")
    if not metrics:
        return
    st.caption(words("evaluate.board_sentence"))
    table = report.table(found, metrics)
    name = next(iter(metrics))
    alt = words("evaluate.board_alt", metric=name)
    cards.still(rows.interval_figure(table, frame.palette()), "evaluate_points", alt)
    grid(rows.board(table, grouped=False), "evaluate_board", alt)


def groups(found: Found) -> None:
    """The same by category, by dated or not, or by dialogue."""
    group = st.segmented_control(
        words("evaluate.group_by"),
        GROUPS,
        default=Group.CATEGORY,
        required=True,
        format_func=lambda g: words(f"evaluate.group.{g.value}"),
        key="evaluate_group",
    )
    metrics = chosen_metrics(found, rows.BRIEF, "evaluate_group_metrics")
    if metrics:
        table = report.table(found, metrics, group or Group.CATEGORY)
        alt = words("evaluate.view.groups")
        grid(rows.board(table, grouped=True), "evaluate_groups", alt, names=2)


def matrix(found: Found) -> None:
    """Question by system; a cell opens the question and its trace."""
    facets = matrix_facets(found)
    shown = rows.matching(found, facets)
    key = "evaluate.shown" if len(shown) < len(found.asked) else "evaluate.all_shown"
    told = words(key, shown=len(shown), total=len(found.asked))
    st.caption(f"{told} {words('evaluate.matrix_help')}")
    table = rows.matrix_grid(found, shown)
    drawn = pd.DataFrame(table.rows, columns=list(table.columns))
    places = [a.asked for a in shown]
    titles = {
        words(name): st.column_config.Column(width=width, pinned=name == "evaluate.question")
        for name, width in WIDTHS.items()
    }
    titles |= {system: st.column_config.Column(alignment="center") for system in found.systems}
    st.dataframe(
        drawn,
        key="evaluate_matrix",
        hide_index=True,
        height=min(420, 38 + 35 * max(len(shown), 1)),
        column_config=titles,
        on_select=lambda: take_cell(found, places),
        selection_mode="single-cell",
        alt=words("evaluate.view.matrix"),
    )
    detail(found)


def matrix_facets(found: Found) -> Facets:
    """The filters in one row; they are kept in the link."""
    categories = sorted({a.question.category for a in found.asked if a.question.category})
    letters, systems, here = (*LETTERS, KEPT), found.systems, frame.state().matrix
    anything = words("evaluate.any")
    boxes: tuple[tuple[str, str, Sequence[str], Callable[[str], str], int], ...] = (
        ("category", "evaluate.category_box", categories, str, 130),
        ("fate", "evaluate.fate", letters, rows.letter_words, 210),
        ("of", "evaluate.of", systems, str, 140),
        ("a", "evaluate.a", systems, str, 140),
        ("b", "evaluate.b", systems, str, 140),
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.session_state["evaluate_q"] = here.get("q", "")
        label = words("evaluate.search")
        st.text_input(label, key="evaluate_q", width=130, on_change=took, args=("q",))
        for name, title, options, told, width in boxes:
            put(name, ("", *options))
            st.selectbox(
                words(title),
                ("", *options),
                format_func=partial(_or_any, told, anything),
                key=f"evaluate_{name}",
                width=width,
                on_change=took,
                args=(name,),
            )
    a, b = here.get("a", ""), here.get("b", "")
    return Facets(
        here.get("q", ""),
        here.get("category", ""),
        here.get("fate", ""),
        here.get("of", ""),
        (a, b) if a and b and a != b else None,
    )


def _or_any(told: Callable[[str], str], anything: str, value: str) -> str:
    return told(value) if value else anything


def take_cell(found: Found, places: Sequence[Asked]) -> None:
    """Keep the chosen cell; a cell of the question's own columns stands for the first system."""
    cells = st.session_state["evaluate_matrix"]["selection"]["cells"]
    if not cells:
        return
    row, column = cells[0]
    asked = places[row]
    system = column if column in found.systems else found.systems[0]
    frame.state().cell = f"{asked.dialogue}~{system}~{asked.question.id}"


def detail(found: Found) -> None:
    """The chosen question: its gold, what became of it, a note, and the way to its trace."""
    place = place_of(found)
    if place is None:
        return
    asked = next(a for a in found.asked if a.key == (place.dialogue, place.question))
    result, question = found.result(place.system, asked), asked.question
    gone = rows.lost(question, result)
    with st.container(border=True):
        st.text(f"{question.id} · {place.system}")
        st.text(question.text)
        for line in rows.told(question, result):
            st.text(line)
        remarks(asked)
        label = words("evaluate.open" if gone else "evaluate.open_kept")
        if result is not None and st.button(label, type="primary", key="evaluate_open"):
            turn, letter = gone[0] if gone else ("", "")
            go(place, letter, str(turn))


def go(place: Place, letter: str, turn: str) -> None:
    """Open Step at the stage that lost the gold, with the lost turn selected."""
    run = evaluating.open_trace(place)
    if run is None:
        st.rerun()
    here = frame.state()
    frame.open_dialogue(place.dialogue)
    here.run, here.selected = run, turn
    here.beat = beat_of(letter or KEPT).value
    st.switch_page("pages/step.py")


def remarks(asked: Asked) -> None:
    key = f"{asked.dialogue} {asked.question.id}"
    note = st.text_input(
        words("evaluate.note"), value=asked.remark.note, max_chars=500, key=f"note {key}"
    )
    wrong = st.toggle(words("evaluate.mark_wrong"), value=asked.remark.wrong, key=f"wrong {key}")
    if (note.strip(), wrong) != (asked.remark.note, asked.remark.wrong):
        evaluating.remark(asked.dialogue, asked.question.id, note, wrong=wrong)
        st.rerun()


def place_of(found: Found) -> Place | None:
    """Return the cell of the state, None if this evaluation has none such."""
    number, _, rest = frame.state().cell.partition("~")
    system, _, question = rest.partition("~")
    known = any(str(a.dialogue) == number and a.question.id == question for a in found.asked)
    if not known or system not in found.systems:
        return None
    return Place(found.evaluation.id, int(number), system, question)


def refusals(found: Found) -> None:
    """What each threshold would refuse, rightly and wrongly."""
    curves = {s: points for s in found.systems if (points := report.tradeoff(found, s))}
    refused = rows.refused_grid(report.table(found, report.REFUSALS))
    grid(refused, "evaluate_refused", words("evaluate.view.refusals"))
    if not curves:
        st.info(words("evaluate.refusal_none"))
        return
    for systems, shared in rows.alike(curves).items():
        best = fewest_wrong(shared, MOST_WRONG)
        if best is not None:
            st.caption(rows.refusal_sentence(systems, best))
    alt = words("evaluate.refusal_alt")
    cards.still(rows.tradeoff_figure(curves, frame.palette()), "evaluate_curve", alt)
    grid(rows.tradeoff_grid(curves, POINTS), "evaluate_curve_table", alt)


def costs(found: Found) -> None:
    """Build, query, packet and model costs."""
    st.caption(words("evaluate.cost_sentence"))
    grid(rows.costs(report.costs(found)), "evaluate_costs", words("evaluate.view.costs"))


def cautions(found: Found) -> None:
    """What a reader of the figures should know."""
    told = report.cautions(found)
    if not told:
        return
    with st.expander(words("evaluate.cautions")):
        for caution in told:
            places, more = ", ".join(caution.places[:8]), len(caution.places) - 8
            if more > 0:
                places = words("evaluate.more", places=places, n=more)
            st.text(words(f"evaluate.caution.{caution.kind}", n=caution.n, places=places))


def exports(found: Found) -> None:
    """The same figures as files; a file is made when it is asked for."""
    name = f"evaluation-{found.evaluation.id}"
    with st.expander(words("evaluate.exports"), icon=":material/download:"):
        with st.container(horizontal=True):
            for key, file, make in (
                ("csv", f"{name}.csv", lambda: figures_csv(found)),
                ("questions", f"{name}-questions.csv", lambda: files.questions_csv(found)),
                ("json", f"{name}.json", lambda: files.as_json(found)),
                ("markdown", f"{name}.md", lambda: files.markdown(found)),
                ("runs", f"{name}-runs.zip", lambda: run_files(found)),
            ):
                label = words(f"evaluate.export.{key}")
                st.download_button(label, make, file, on_click="ignore", key=f"evaluate_{key}")
        st.caption(words("evaluate.command"))
        st.code(command(found), language="bash")


def figures_csv(found: Found) -> str:
    return files.as_csv(report.table(found, rows.every(), Group.CATEGORY))


def run_files(found: Found) -> bytes:
    """Return one run file a system as a ZIP; names hold systems only."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as packed, holdings.opened() as db:
        for system in found.systems:
            text = json.dumps(files.run_file(db, found, system), ensure_ascii=False)
            packed.writestr(zipfile.ZipInfo(f"{system}.json"), text)
    return held.getvalue()


def command(found: Found) -> str:
    plan = replace(found.evaluation.plan)
    budget = f" --budget {plan.budget}" if plan.budget else ""
    read = " --export answers" if plan.reader else ""
    return f"memcore evaluate FILE --systems {','.join(plan.systems)}{budget}{read} --runs DIR"
