// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSession.State;
import io.flexpool.server.ServerSession.Wait;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessRowTest {
    private static ProcessRow row(String command, @Nullable String state, @Nullable String transactionState) {
        return new ProcessRow(
                5,
                "flex",
                "127.0.0.1:45636",
                "shop",
                command,
                Duration.ofMillis(1_969),
                state,
                "update t set v = 9",
                transactionState,
                transactionState == null ? null : Duration.ofSeconds(2),
                Set.of());
    }

    /** The server's words, as MySQL's manual and MariaDB 11.4 have them. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "Sleep, none, none, IDLE, CLIENT",
                "Sleep, none, RUNNING, IDLE_IN_TRANSACTION, CLIENT",
                "Query, Updating, LOCK WAIT, RUNNING, LOCK",
                "Query, Updating, RUNNING, RUNNING, NONE",
                "Query, executing, none, RUNNING, NONE",
                "Execute, Sending data, none, RUNNING, NONE",
                "Query, '', none, RUNNING, NONE",
                "Query, Waiting for table metadata lock, none, RUNNING, LOCK",
                "Query, Waiting for global read lock, none, RUNNING, LOCK",
                "Query, Waiting for table level lock, none, RUNNING, LOCK",
                "Query, User lock, none, RUNNING, LOCK",
                "Query, User sleep, none, RUNNING, OTHER",
                "Query, Waiting for handler commit, RUNNING, RUNNING, OTHER",
                "Query, Sending to client, none, RUNNING, CLIENT",
                "Query, Writing to net, none, RUNNING, CLIENT"
            })
    void theServersWordsAreUnderstood(
            String command, @Nullable String state, @Nullable String transaction, State does, Wait waitsFor) {
        ServerSession session = row(command, state, transaction).session(true, true, MetadataLocks.NONE);
        assertThat(session.state()).isEqualTo(does);
        assertThat(session.waitsFor()).isEqualTo(waitsFor);
        assertThat(session.waitEvent() == null).isEqualTo(waitsFor == Wait.NONE);
    }

    /** It may wait for a row, which is not visible. */
    @Test
    void withoutTransactionsNoSessionIsSaidToWork() {
        ServerSession session = row("Query", "Updating", null).session(true, false, MetadataLocks.NONE);
        assertThat(session.waitsFor()).isEqualTo(Wait.OTHER);
        assertThat(session.waitEvent()).isEqualTo("Updating");
        assertThat(session.inTransaction()).isNull();
    }

    @Test
    void aSessionKeepsItsFigures() {
        ServerSession session = row("Query", "Updating", "LOCK WAIT").session(true, true, MetadataLocks.NONE);
        assertThat(session.id()).isEqualTo(5);
        assertThat(session.asked()).isTrue();
        assertThat(session.inState()).isEqualTo(Duration.ofMillis(1_969));
        assertThat(session.inTransaction()).isEqualTo(Duration.ofSeconds(2));
        assertThat(session.connected()).isNull();
        assertThat(session.address()).isEqualTo("127.0.0.1");
        assertThat(session.user()).isEqualTo("flex");
        assertThat(session.database()).isEqualTo("shop");
        assertThat(session.statement()).isEqualTo("update t set v = 9");
        assertThat(session.waitEvent()).isEqualTo("InnoDB: LOCK WAIT");
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:45636, 127.0.0.1",
        "localhost, localhost",
        "::1:45636, ::1",
        "db.example.org:1, db.example.org",
        "'', ''"
    })
    void theAddressHasNoPort(String host, String address) {
        ProcessRow row = new ProcessRow(1, "flex", host, null, "Sleep", null, null, null, null, null, Set.of());
        assertThat(row.account()).isEqualTo("flex@" + address);
    }

    @Test
    void blockersOfRowsAndOfMetadataAreOneList() {
        MetadataLocks locks = new MetadataLocks(List.of(
                new MetadataLocks.Entry("TABLE", "shop.t", "EXCLUSIVE", true, 3, null),
                new MetadataLocks.Entry("TABLE", "shop.t", "SHARED_READ", false, 5, null)));
        ProcessRow row = new ProcessRow(
                5, "flex", "127.0.0.1:1", "shop", "Query", null, "Updating", null, "LOCK WAIT", null, Set.of(7L, 3L));
        assertThat(row.session(true, true, locks).blockedBy()).containsExactly(3L, 7L);
    }

    @ParameterizedTest
    @CsvSource({
        "flex, Sleep, true",
        "flex, Query, true",
        "system user, Connect, false",
        "system user, Slave_SQL, false",
        "event_scheduler, Daemon, false",
        "replica, Binlog Dump, false",
        "replica, Binlog Dump GTID, false"
    })
    void theServersOwnSessionsAreNoClients(String user, String command, boolean client) {
        ProcessRow row = new ProcessRow(1, user, "", null, command, null, null, null, null, null, Set.of());
        assertThat(row.client()).isEqualTo(client);
    }
}
