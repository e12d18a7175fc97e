"""Data for programs: JSON reports and event lines, and the paths of the files of a run."""
