// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.session.LeftLog.Origin;
import io.flexpool.session.SessionStates.LeftState;
import org.junit.jupiter.api.Test;

class LeftLogTest {
    private final LeftLog log = new LeftLog();

    @Test
    void theFirstOfEachOriginIsNews() {
        Origin role = new Origin("role", null, "set role ?", "Orders.load(Orders.java:7)");
        assertThat(log.left(role)).isTrue();
        assertThat(log.left(role)).isFalse();
        assertThat(log.left(new Origin("role", null, "set role ?", "Orders.save(Orders.java:9)")))
                .isTrue();
        assertThat(log.kinds()).containsOnlyKeys("role").containsEntry("role", 3L);
        assertThat(log.all()).extracting(LeftState::leases).containsExactly(2L, 1L);
    }

    /** A text with a changing name is counted by kind, and fills neither the memory nor the log. */
    @Test
    void itIsBounded() {
        for (int at = 0; at < 1_000; at++) {
            log.left(new Origin("temp-table", "t" + at, "create temp table t" + at, null));
        }
        assertThat(log.all()).hasSize(100);
        assertThat(log.kinds()).containsEntry("temp-table", 1_000L);
        assertThat(log.left(new Origin("temp-table", "t1000", "create temp table t1000", null)))
                .isFalse();
    }

    @Test
    void whatHarmsMostComesFirst() {
        log.left(new Origin("time-zone", null, "set time zone ?", null));
        log.left(new Origin("schema", null, "Connection.setSchema", null));
        log.left(new Origin("role", null, "set role a", null));
        assertThat(log.all()).extracting(LeftState::kind).containsExactly("role", "time-zone", "schema");
    }

    @Test
    void anOriginIsAClause() {
        assertThat(new Origin("setting", "app.tenant", "select set_config(?,?,false)", "A.b(A.java:1)").words())
                .isEqualTo("setting app.tenant by \"select set_config(?,?,false)\" at A.b(A.java:1)");
        assertThat(new Origin("role", null, "set role a", null).words()).isEqualTo("role by \"set role a\"");
    }
}
