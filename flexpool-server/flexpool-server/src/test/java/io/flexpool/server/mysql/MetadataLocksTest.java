// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.server.mysql.MetadataLocks.Entry;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** As MariaDB 11.4 listed them for a reader in a transaction, an ALTER TABLE behind it, and a query behind that. */
class MetadataLocksTest {
    private static final long READER = 5;
    private static final long ALTER = 8;
    private static final long QUERY = 9;

    private static Entry table(long session, String mode, boolean granted) {
        return new Entry("TABLE", "flex.t", mode, granted, session, null);
    }

    private final MetadataLocks locks = new MetadataLocks(List.of(
            table(READER, "SHARED_READ", true),
            table(ALTER, "SHARED_UPGRADABLE", true),
            table(ALTER, "EXCLUSIVE", false),
            table(QUERY, "SHARED_READ", false)));

    @Test
    void aChangeOfTheSchemaWaitsForTheReader() {
        assertThat(locks.blockersOf(ALTER)).containsExactly(READER);
    }

    @Test
    void aQueryWaitsForTheChangeThatWaits() {
        assertThat(locks.blockersOf(QUERY)).containsExactly(ALTER);
    }

    @Test
    void aSessionWithAllLocksWaitsForNone() {
        assertThat(locks.blockersOf(READER)).isEmpty();
        assertThat(MetadataLocks.NONE.blockersOf(READER)).isEmpty();
    }

    @Test
    void onlyTheChangeChangesTheSchema() {
        assertThat(locks.changesSchema(ALTER)).isTrue();
        assertThat(locks.changesSchema(READER)).isFalse();
        assertThat(locks.changesSchema(QUERY)).isFalse();
    }

    @Test
    void aLockOnAnotherTableBlocksNone() {
        MetadataLocks apart = new MetadataLocks(List.of(
                new Entry("TABLE", "flex.other", "EXCLUSIVE", true, ALTER, null), table(QUERY, "SHARED_READ", false)));
        assertThat(apart.blockersOf(QUERY)).isEmpty();
        assertThat(apart.changesSchema(ALTER)).isFalse();
    }

    @Test
    void aLockOnAnObjectOfAnotherKindBlocksNone() {
        MetadataLocks apart = new MetadataLocks(List.of(
                new Entry("FUNCTION", "flex.t", "EXCLUSIVE", true, ALTER, null), table(QUERY, "SHARED_READ", false)));
        assertThat(apart.blockersOf(QUERY)).isEmpty();
        assertThat(apart.changesSchema(ALTER)).isFalse();
    }

    /** The first waits for a user's lock with the second, in the mode in which MariaDB takes it. */
    @Test
    void aUsersLockIsNoChangeOfTheSchema() {
        MetadataLocks users = new MetadataLocks(List.of(
                new Entry("USER LEVEL LOCK", ".flex", "SHARED_NO_WRITE", true, READER, null),
                new Entry("USER LEVEL LOCK", ".flex", "SHARED_NO_WRITE", false, QUERY, null)));
        assertThat(users.blockersOf(QUERY)).containsExactly(READER);
        assertThat(users.changesSchema(READER)).isFalse();
        assertThat(users.changesSchema(QUERY)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "SHARED_READ, SHARED_WRITE, true, false",
        "SHARED_READ, SHARED_NO_READ_WRITE, true, true",
        "SHARED_READ, SHARED_NO_READ_WRITE, false, true",
        "SHARED_READ, SHARED_NO_WRITE, true, false",
        "SHARED_READ, SHARED_NO_WRITE, false, false",
        "SHARED_WRITE, SHARED_NO_WRITE, false, true",
        "SHARED_WRITE_LOW_PRIO, SHARED_READ_ONLY, false, true",
        "SHARED_READ_ONLY, SHARED_WRITE, false, true",
        "SHARED_READ_ONLY, SHARED_READ, false, false",
        "SHARED_WRITE, SHARED_NO_WRITE, true, true",
        "SHARED_WRITE, SHARED_READ_ONLY, true, true",
        "SHARED_WRITE, SHARED_READ_ONLY, false, false",
        "SHARED_WRITE, SHARED_WRITE, true, false",
        "SHARED_HIGH_PRIO, EXCLUSIVE, true, true",
        "SHARED_HIGH_PRIO, EXCLUSIVE, false, false",
        "SHARED_UPGRADABLE, SHARED_UPGRADABLE, true, true",
        "SHARED_UPGRADABLE, SHARED_READ, true, false",
        "SHARED_NO_READ_WRITE, SHARED_READ, true, true",
        "SHARED_NO_READ_WRITE, SHARED, true, false",
        "EXCLUSIVE, SHARED, true, true",
        "EXCLUSIVE, EXCLUSIVE, true, true",
        "EXCLUSIVE, EXCLUSIVE, false, false",
        "BACKUP_DDL, EXCLUSIVE, true, false",
        "EXCLUSIVE, INTENTION_EXCLUSIVE, true, false"
    })
    void modesExcludeEachOther(String wanted, String others, boolean granted, boolean blocks) {
        MetadataLocks two = new MetadataLocks(List.of(table(1, others, granted), table(2, wanted, false)));
        assertThat(two.blockersOf(2)).isEqualTo(blocks ? List.of(1L) : List.of());
    }

    /** What is granted at the same time excludes each other in neither direction. */
    @Test
    void theTableOfGrantedLocksIsSymmetric() {
        List<String> modes = List.of(
                "SHARED",
                "SHARED_HIGH_PRIO",
                "SHARED_READ",
                "SHARED_WRITE",
                "SHARED_WRITE_LOW_PRIO",
                "SHARED_UPGRADABLE",
                "SHARED_READ_ONLY",
                "SHARED_NO_WRITE",
                "SHARED_NO_READ_WRITE",
                "EXCLUSIVE");
        for (String one : modes) {
            for (String other : modes) {
                assertThat(blocks(one, other)).as("%s and %s", one, other).isEqualTo(blocks(other, one));
            }
        }
    }

    private static boolean blocks(String wanted, String granted) {
        return !new MetadataLocks(List.of(table(1, granted, true), table(2, wanted, false)))
                .blockersOf(2)
                .isEmpty();
    }
}
