// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

import java.util.OptionalInt;

/**
 * One class of requests of a pool at one moment. Immutable. Made by flexpool alone; minor releases add methods.
 */
public interface PoolClassState {
    /** {@return its name, as configured} */
    String name();

    /** {@return how many connections it gets before others, a part of the limit rounded up; 0 if it has no guarantee} */
    int guaranteed();

    /** {@return how many connections it ever has at once; empty if that was not configured} */
    OptionalInt most();

    /** {@return how many connections it holds, those included that its requests are just getting from the pool} */
    int held();

    /** {@return how many of its requests wait for a permit} */
    int waiting();

    /**
     * All of it in one clause.
     *
     * @return for example {@code batch holds 8 of 8 and 32 wait, 5 guaranteed}, or {@code interactive holds 4 and waits for
     *     nothing}
     */
    default String describe() {
        String most = most().isPresent() ? " of " + most().getAsInt() : "";
        String waits = waiting() == 0 ? " and waits for nothing" : " and " + waiting() + " wait";
        return name() + " holds " + held() + most + waits
                + (guaranteed() == 0 ? "" : ", " + guaranteed() + " guaranteed");
    }
}
