// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.tck;

import static io.flexpool.server.tck.ServerViewContract.find;
import static io.flexpool.server.tck.ServerViewContract.locked;
import static io.flexpool.server.tck.ServerViewContract.the;
import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSession.State;
import io.flexpool.server.ServerSession.Wait;
import io.flexpool.server.ServerSnapshot;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which session blocks which, through which kind of lock. */
abstract class LockContract extends ServerViewPart {
    LockContract(ServerViewContract contract) {
        super(contract);
    }

    @Test
    void aSessionThatWaitsForARowIsBlockedByItsHolder() throws Exception {
        table();
        TestSession holder = session().begin().run(update(1));
        TestSession waiter = session().start(update(1));
        ServerSnapshot seen = awaitLook(session(), locked(waiter), waiter);
        assertThat(the(seen, waiter).blockedBy()).containsExactly(holder.id());
        assertThat(the(seen, waiter).state()).isEqualTo(State.RUNNING);
        assertThat(the(seen, waiter).waitEvent()).isNotBlank();
        assertThat(the(seen, waiter).schemaChange()).isFalse();
        ServerSession blocker = the(seen, holder);
        assertThat(blocker.asked()).isFalse();
        assertThat(blocker.state()).isEqualTo(State.IDLE_IN_TRANSACTION);
        assertThat(blocker.waitsFor()).isNotEqualTo(Wait.LOCK);
        assertThat(blocker.inTransaction()).isNotNull();
        assertThat(blocker.blockedBy()).isEmpty();
        assertThat(blocker.schemaChange()).isFalse();
    }

    @Test
    void aChainIsFollowedToItsHead() throws Exception {
        table();
        TestSession head = session().begin().run(update(1));
        TestSession middle = session().begin().run(update(2)).start(update(1));
        TestSession last = session().start(update(2));
        TestSession bystander = session().begin().run(update(3));
        ServerSnapshot seen = awaitLook(session(), locked(middle, last), last);
        assertThat(the(seen, last).blockedBy()).containsExactly(middle.id());
        assertThat(the(seen, middle).blockedBy()).containsExactly(head.id());
        assertThat(the(seen, head).blockedBy()).isEmpty();
        assertThat(find(seen, bystander)).isEmpty();
        assertThat(seen.sessions()).extracting(ServerSession::id).containsExactly(last.id(), middle.id(), head.id());
    }

    /** Beyond them a session is named, but not described, so it cannot be taken for the head of the chain. */
    @Test
    void aChainIsFollowedOverFiveSessions() throws Exception {
        session().run("create table " + contract.tableName() + " (id int primary key, v int)");
        List<TestSession> chain = new ArrayList<>();
        for (int row = 0; row < ServerSnapshot.DEEPEST_CHAIN + 3; row++) {
            session().run("insert into " + contract.tableName() + " values (" + row + ", 0)");
            chain.add(session().begin().run(update(row)));
            if (row > 0) {
                chain.get(row).start(update(row - 1));
            }
        }
        TestSession last = chain.get(chain.size() - 1);
        ServerSnapshot seen = awaitLook(
                session(),
                snapshot -> snapshot.sessions().size() > ServerSnapshot.DEEPEST_CHAIN
                        && snapshot.sessions().stream().allMatch(one -> one.waitsFor() == Wait.LOCK),
                last);
        assertThat(seen.sessions()).hasSize(ServerSnapshot.DEEPEST_CHAIN + 1);
        assertThat(seen.sessions())
                .allSatisfy(one -> assertThat(one.blockedBy()).hasSize(1));
        assertThat(find(seen, chain.get(0))).isEmpty();
    }

    @Test
    void aChangeOfTheSchemaBlocksWhatComesAfterIt() throws Exception {
        String rows = table();
        TestSession reader = session().begin().run("select count(*) from " + rows);
        TestSession change = session().start("alter table " + rows + " add column more int");
        awaitLook(session(), locked(change), change);
        TestSession queued = session().start("select count(*) from " + rows);
        ServerSnapshot seen = awaitLook(session(), locked(change, queued), queued);
        assertThat(the(seen, queued).blockedBy()).containsExactly(change.id());
        assertThat(the(seen, queued).schemaChange()).isFalse();
        assertThat(the(seen, change).schemaChange()).isTrue();
        assertThat(the(seen, change).blockedBy()).containsExactly(reader.id());
        assertThat(the(seen, reader).schemaChange()).isFalse();
        assertThat(the(seen, reader).state()).isEqualTo(State.IDLE_IN_TRANSACTION);
    }

    @Test
    void anAdvisoryLockIsALockAndNoChangeOfTheSchema() throws Exception {
        TestSession holder = session().run(contract.advisoryLock());
        TestSession waiter = session().start(contract.advisoryLock());
        ServerSnapshot seen = awaitLook(session(), locked(waiter), waiter);
        assertThat(the(seen, waiter).blockedBy()).containsExactly(holder.id());
        assertThat(the(seen, holder).state()).isEqualTo(State.IDLE);
        assertThat(seen.sessions()).noneMatch(ServerSession::schemaChange);
    }
}
