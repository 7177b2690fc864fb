// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

import java.time.Duration;

/**
 * One case of the fault contract.
 *
 * @param server the database server
 * @param fault the fault
 * @param mode the configuration of flexpool
 */
public record FaultCase(Server server, Fault fault, Mode mode) {
    /** The kinds of faults. */
    public enum Fault {
        /** Every open connection is reset, several times. */
        CUT(1_000),
        /** Connects are refused, connections are reset. Longer than two retry deadlines: see {@link FaultEvidence}. */
        REFUSE(2_600),
        /** Every message comes late, and nothing fails. */
        DELAY(1_000),
        /** No message arrives any more. */
        BLACKHOLE(2_400),
        /** Connects are refused and accepted in turn. */
        FLAP(1_500),
        /** Clients read the end of the stream, several times. */
        HALF_CLOSE(1_000),
        /** The database ends and starts again. */
        RESTART(1_200);

        private final int shortMillis;

        Fault(int shortMillis) {
            this.shortMillis = shortMillis;
        }

        /** {@return the duration of the fault in the short runs} */
        public Duration shortTime() {
            return Duration.ofMillis(shortMillis);
        }
    }

    /** The database servers. */
    public enum Server {
        /** An embedded PostgreSQL, if this machine supports it. */
        POSTGRESQL,
        /** H2's TCP server. */
        H2,
        /** MariaDB, in the profile of that name. */
        MARIADB
    }

    /** The configurations of flexpool. */
    public enum Mode {
        /** Only a name, so the pool is only watched. */
        WATCHED,
        /** With a base, growth to three times the base, and retries. */
        BOUND
    }

    @Override
    public String toString() {
        return server + " " + fault + " " + mode;
    }
}
