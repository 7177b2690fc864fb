// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

/** What became of a step. */
public enum Verdict {
    /** It is being tried, and not yet judged. */
    PENDING,
    /** It was only reported: nothing was tried, so nothing is claimed. */
    UNVERIFIED,
    /** Kept: nobody waits any more. */
    SERVED,
    /** Kept: the completions bear it out. */
    PROVEN,
    /** Taken back: the completions do not bear it out. */
    REVERTED,
    /** Taken back before it could be judged: something else got in the way. */
    ABANDONED,
    /** There is nothing to judge. */
    NONE
}
