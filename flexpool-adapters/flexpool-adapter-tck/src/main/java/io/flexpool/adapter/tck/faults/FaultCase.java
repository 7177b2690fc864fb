// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

import java.time.Duration;

/**
 * One trial.
 *
 * @param server what stands behind the pool
 * @param fault what goes wrong
 * @param mode how the pool is wrapped
 */
public record FaultCase(Server server, Fault fault, Mode mode) {
    /** What goes wrong. */
    public enum Fault {
        /** Every open connection is reset, several times. */
        CUT(1_000),
        /** Connects are refused, connections are reset. Longer than two retry deadlines: see {@link FaultEvidence}. */
        REFUSE(2_600),
        /** Every message comes late, and nothing fails. */
        DELAY(1_000),
        /** Nothing is answered any more. */
        BLACKHOLE(2_400),
        /** Refused and passed in turn. */
        FLAP(1_500),
        /** Clients read the end of the stream, several times. */
        HALF_CLOSE(1_000),
        /** The database ends and starts again. */
        RESTART(1_200);

        private final int shortMillis;

        Fault(int shortMillis) {
            this.shortMillis = shortMillis;
        }

        /** {@return how long it lasts, where each fault is tried once} */
        public Duration shortTime() {
            return Duration.ofMillis(shortMillis);
        }
    }

    /** What stands behind the pool. */
    public enum Server {
        /** An embedded PostgreSQL, where this machine can run one. */
        POSTGRESQL,
        /** H2's TCP server. */
        H2,
        /** MariaDB, in the profile of that name. */
        MARIADB
    }

    /** How the pool is wrapped. */
    public enum Mode {
        /** Nothing but a name. */
        WATCHED,
        /** With a base, growth to three times the base, and retries. */
        BOUND
    }

    @Override
    public String toString() {
        return server + " " + fault + " " + mode;
    }
}
