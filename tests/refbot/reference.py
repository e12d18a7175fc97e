"""Statistics of uniform playouts from the empty board at komi 7.5, for tests of both kernels.

9x9: independent programs of others. 13x13 and 19x19: 1,500,000 playouts each of a plain C program, written
for this purpose, which shares nothing with the kernels. Other published figures for Black, 0.442 and 0.467,
are ruled out at these counts (docs/performance.md).
"""

REFERENCE = [  # size, moves a playout and its error, sd and its error, Black's rate and its error
    (9, 111.06, 0.004, 16.02, 0.02, 0.4214, 0.0001),
    (13, 219.319, 0.016, 19.735, 0.02, 0.44496, 0.00041),
    (19, 455.397, 0.022, 27.372, 0.02, 0.46331, 0.00041),
]
