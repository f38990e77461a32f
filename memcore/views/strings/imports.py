"""Words for the codes of an import report, by key and language; English is what the codes say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from memcore.transcripts.codes import Skip, Warn

ENGLISH: Final[Mapping[str, str]] = {
    **{f"code.{code.value}": code.sentence for code in (*Skip, *Warn)},
    "code.nul": "NUL characters became U+FFFD.",
    "code.surrogate": "Half characters became U+FFFD.",
    "code.mojibake": "Wrongly decoded texts were mended.",
    "code.bytes": "Bytes that the encoding lacks became U+FFFD.",
}

CHINESE: Final[Mapping[str, str]] = {
    "code.empty_text": "没有文字。",
    "code.media_only": "只有图片、语音、文件之类，没有文字。",
    "code.notice": "由软件写出，并非有人所说。",
    "code.deleted": "导出前已删除或撤回。",
    "code.hidden_context": "读者看不到的系统提示、个人资料或指令。",
    "code.tool_call": "助手调用了工具。",
    "code.tool_output": "工具对助手的返回。",
    "code.thinking": "助手的思考过程，并非回复。",
    "code.other_branch": "位于最后一次阅读时未显示的分支。",
    "code.placeholder": "导出程序用来代替内容的句子。",
    "code.printed_twice": "导出文件中重复出现。",
    "code.already_stored": "工作区已有这一轮。",
    "code.empty_conversation": "没有消息的对话。",
    "code.bad_record": "字段缺失或类型不对。",
    "code.over_limit": "超过单轮的长度上限；内容从不截断。",
    "code.not_transcript": "导出中不含对话的文件。",
    "code.unreadable_file": "导出中无法读取的文件。",
    "code.unsafe_path": "压缩包中的链接，或指向包外的条目。",
    "code.not_selected": "按要求略去。",
    "code.encoding_guessed": "文件没有写明编码，编码由猜测得出。",
    "code.undecodable_bytes": "该编码中没有的字节已换成 U+FFFD。",
    "code.characters_replaced": "NUL 与半个字符已换成 U+FFFD。",
    "code.mojibake_repaired": "解码错误的文字已修复。",
    "code.date_order_ambiguous": "日与月的顺序两种读法都成立。",
    "code.date_order_mixed": "在该顺序下不成立的日期留空。",
    "code.no_date": "文件没有写明日期；可以用“开始时间”选项给出。",
    "code.some_times_missing": "部分轮次没有时间，因此保持文件中的顺序。",
    "code.bad_time": "无法读懂的时间留空。",
    "code.time_out_of_range": "1990 年以前或 2100 年以后的时间留空。",
    "code.time_in_future": "比导入时刻晚一天以上的时间，予以保留。",
    "code.time_goes_back": "按文件自身的顺序，时间出现倒退。",
    "code.ambiguous_hour": "时钟回拨而重复的一小时，取前一次。",
    "code.unknown_daypart": "小时旁有不认识的词；小时按原样读取。",
    "code.other_calendar": "其他历法的日期留空。",
    "code.duplicate_id": "重复的编号依次加上 ~2、~3 等。",
    "code.no_current_node": "没有标明当前分支，取最新的一条。",
    "code.dangling_parent": "上级缺失或互为上下级，读取到此为止。",
    "code.rare_speaker": "只出现一次的名称，可能不是说话人。",
    "code.many_speakers": "名称太多，其中一些可能不是说话人。",
    "code.speaker_guessed": "交替发言的说话人由猜测区分。",
    "code.unknown_phrases": "反复出现的 <…> 按媒体处理。",
    "code.cues_lost": "时间行多于能读出的字幕条。",
    "code.session_without_turns": "有日期的会话没有任何轮次。",
    "code.possible_renamed_copy": "内容与已存的某个对话相同。",
    "code.turn_changed": "已存的轮次在文件中文字或时间不同。",
    "code.turn_missing": "已存的轮次不在文件中。",
    "code.bad_records": "超过一半的记录无法读取。",
    "code.order_changed": "记录已按时间排序。",
    "code.evidence_repaired": "证据编号已修正。",
    "code.evidence_unresolved": "证据编号找不到对应的轮次。",
    "code.question_before_session": "某个问题的日期早于同一天的会话；没有删去任何内容。",
    "code.nul": "NUL 字符已换成 U+FFFD。",
    "code.surrogate": "半个字符已换成 U+FFFD。",
    "code.mojibake": "解码错误的文字已改正。",
    "code.bytes": "编码无法表示的字节已换成 U+FFFD。",
}
