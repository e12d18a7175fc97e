"""The command line of conform. `app` has the list of commands and their modules."""

import gc


def main() -> None:
    """Entry point of `conform`: run the command of this process, and exit with its code.

    The commands are loaded only now, because each worker of a match imports this module too.
    """
    gc.set_threshold(20_000)  # what is loaded stays; by default a twelfth of a start looks for garbage in it
    from harness.cli.app import main as run_command

    run_command()
