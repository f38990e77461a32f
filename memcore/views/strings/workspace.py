"""Words of the workspace dialog, by key and language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ENGLISH: Final[Mapping[str, str]] = {
    "workspace.title": "Workspace",
    "workspace.open": "Open workspace",
    "workspace.open_help": "The workspaces in the folder that the app was started in.",
    "workspace.name_workspace": "Name of this workspace",
    "workspace.take_workspace": "Rename workspace",
    "workspace.backup": "Back up",
    "workspace.backup_help": "Downloads a whole copy: dialogues, memories, runs, all text.",
    "workspace.backup_dialogue": "Back up dialogue",
    "workspace.backup_dialogue_help": (
        "Downloads a workspace of its own with this dialogue, its memories and runs, all text."
    ),
    "workspace.new": "New workspace",
    "workspace.name_new": "Name of the new workspace",
    "workspace.take_new": "Create",
    "workspace.delete_workspace": "Delete workspace",
    "workspace.gone_workspace": (
        "All its dialogues, memories and runs go with the file. This cannot be undone. "
        "If the app was started with it, an empty one takes its place."
    ),
    "workspace.dialogue": "Open dialogue",
    "workspace.name_dialogue": "Name of this dialogue",
    "workspace.take_dialogue": "Rename dialogue",
    "workspace.delete_dialogue": "Delete dialogue",
    "workspace.gone_dialogue": (
        "Its turns, memories, runs and evaluations go, and no byte of them stays in the file. "
        "This cannot be undone."
    ),
    "workspace.agree": "Yes, delete it for good",
    "workspace.busy": "A build or an evaluation is running in this workspace. Stop it or wait, then delete.",
}

CHINESE: Final[Mapping[str, str]] = {
    "workspace.title": "工作区",
    "workspace.open": "打开的工作区",
    "workspace.open_help": "应用启动时所在文件夹中的工作区。",
    "workspace.name_workspace": "此工作区的名称",
    "workspace.take_workspace": "重命名工作区",
    "workspace.backup": "备份",
    "workspace.backup_help": "下载完整副本：对话、记忆、运行记录和全部文本。",
    "workspace.backup_dialogue": "备份对话",
    "workspace.backup_dialogue_help": "下载一个独立的工作区：含此对话及其记忆、运行和全部文字。",
    "workspace.new": "新建工作区",
    "workspace.name_new": "新工作区的名称",
    "workspace.take_new": "创建",
    "workspace.delete_workspace": "删除工作区",
    "workspace.gone_workspace": (
        "其中所有对话、记忆和运行记录将随文件一并删除，无法恢复。"
        "若应用是用它启动的，会换成一个空工作区。"
    ),
    "workspace.dialogue": "打开的对话",
    "workspace.name_dialogue": "此对话的名称",
    "workspace.take_dialogue": "重命名对话",
    "workspace.delete_dialogue": "删除对话",
    "workspace.gone_dialogue": (
        "它的轮次、记忆、运行记录和评测都会删除，文件中不留任何字节，无法恢复。"
    ),
    "workspace.agree": "确认永久删除",
    "workspace.busy": "此工作区正在构建或评测。请先停止或等待完成，再删除。",
}
