"""The command line of conform. `app` has the list of commands and their modules."""


def main() -> None:
    """Entry point of `conform`: run the command of this process, and exit with its code.

    The commands are loaded only now, because each worker of a match imports this module too.
    """
    from harness.cli.app import main as run_command

    run_command()
