"""Groups of commands that plug-ins extend."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from classifier.cli.options import add_refused_command
from classifier.errors import PluginError
from classifier.plugins import Kind, find_plugin, guard, plugin_entries

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class PluginGroup(TyperGroup):
    """Built-in commands, then those of plug-ins, which are imported only when they are called."""

    kind: Kind

    def function_of(self, entry: EntryPoint) -> Callable[..., None]:
        """Return the function of a plug-in's command."""
        raise NotImplementedError

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands."""
        names = {entry.name: None for entry in plugin_entries(self.kind)}
        return [*self.commands, *(name for name in names if name not in self.commands)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command; if its plug-in cannot be used, one that prints the reason."""
        single = typer.Typer(rich_markup_mode=None, add_completion=False)
        try:
            entry = find_plugin(self.kind, cmd_name, cmd_name in self.commands)
            if entry is None:
                return super().get_command(ctx, cmd_name)
            with guard(entry, "reading its parameters"):  # typer knows a few types only
                single.command(cmd_name)(self.function_of(entry))
                return typer.main.get_command(single)
        except PluginError as error:
            refused = typer.Typer(rich_markup_mode=None, add_completion=False)
            add_refused_command(refused, cmd_name, error)
            return typer.main.get_command(refused)
