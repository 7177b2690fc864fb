// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

/**
 * The one word of a {@link Gate} that all threads write, alone on its cache lines: with the gate's other fields, which
 * all threads read, beside it, two threads pay 10 to 20 ns more for each acquisition. The virtual machine lays out a
 * superclass's fields first, so the padding stays where it is; it is never read.
 */
abstract class GateCounts extends GateLeftPad {
    volatile long counts;
}

@SuppressWarnings({"unused", "MultipleTopLevelClasses"}) // padding is there to be unused, and belongs to the one word
abstract class GateLeftPad {
    private long l0;
    private long l1;
    private long l2;
    private long l3;
    private long l4;
    private long l5;
    private long l6;
    private long l7;
    private long l8;
    private long l9;
    private long l10;
    private long l11;
    private long l12;
    private long l13;
    private long l14;
    private long l15;
}

@SuppressWarnings({"unused", "MultipleTopLevelClasses"}) // as above
abstract class GateRightPad extends GateCounts {
    private long r0;
    private long r1;
    private long r2;
    private long r3;
    private long r4;
    private long r5;
    private long r6;
    private long r7;
    private long r8;
    private long r9;
    private long r10;
    private long r11;
    private long r12;
    private long r13;
    private long r14;
    private long r15;
}
