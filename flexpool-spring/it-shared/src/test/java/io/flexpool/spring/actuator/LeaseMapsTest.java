// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSession.State;
import io.flexpool.server.ServerSession.Wait;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the database server said of a lease, as the endpoint shows it. */
class LeaseMapsTest {
    private record Lease(@Nullable ServerSession inServer) implements OpenLease {
        @Override
        public String thread() {
            return "worker";
        }

        @Override
        public long threadId() {
            return 1;
        }

        @Override
        public boolean virtualThread() {
            return false;
        }

        @Override
        public @Nullable String callSite() {
            return null;
        }

        @Override
        public Duration age() {
            return Duration.ofSeconds(5);
        }

        @Override
        public Activity activity() {
            return Activity.UNKNOWN;
        }

        @Override
        public @Nullable Duration inDatabase() {
            return null;
        }

        @Override
        public @Nullable String statement() {
            return null;
        }

        @Override
        public boolean leakSuspected() {
            return false;
        }
    }

    private static Map<String, Object> shown(@Nullable ServerSession session) {
        return LeaseMaps.holders(List.of(new Lease(session))).get(0);
    }

    @Test
    void theSessionOfALeaseIsShown() {
        ServerSession session = ServerSession.of(4_711)
                .asked(true)
                .state(State.RUNNING, Duration.ofMillis(14_200))
                .waitsFor(Wait.LOCK, "Lock: transactionid")
                .inTransaction(Duration.ofMillis(14_300))
                .blockedBy(List.of(12L))
                .build();
        assertThat(shown(session).get("inServer"))
                .asInstanceOf(MAP)
                .containsEntry("session", 4_711L)
                .containsEntry("state", "running")
                .containsEntry("waitsFor", "lock")
                .containsEntry("waitEvent", "Lock: transactionid")
                .containsEntry("blockedBy", List.of(12L))
                .containsEntry("words", "running for 14.2 s, waits for Lock: transactionid, blocked by session 12")
                .containsKeys("inStateMillis", "inTransactionMillis");
    }

    @Test
    void withoutALookThereIsNone() {
        assertThat(shown(null)).doesNotContainKey("inServer");
    }
}
