// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.diagnostics.OpenLease.Activity;
import io.flexpool.internal.context.StateReader;
import io.flexpool.internal.failure.Diagnosis.Situation;
import io.flexpool.internal.failure.FailedAttempt.Attempt;
import io.flexpool.internal.failure.ThreadSample.Place;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.record.StatisticsHistory.UsualLeases;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSession.State;
import io.flexpool.server.ServerSession.Wait;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.engine.FakeQueryResult;
import io.flexpool.server.engine.FakeServer;
import io.flexpool.spi.SessionInsight.SessionFindings;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The table of causes that a look at the server adds: what it said in, cause and words out. */
class ServerDiagnosisTest {
    private static final long MILLI = 1_000_000;
    private static final long LEAK_NANOS = 30_000 * MILLI;

    private final List<OpenLease> leases = new ArrayList<>();
    private final List<ServerSession> sessions = new ArrayList<>();
    private final List<ServerSession> endedSince = new ArrayList<>();
    private final Map<Long, ThreadSample> samples = new HashMap<>();
    private AcquisitionFailure why = new AcquisitionFailure(Kind.EXHAUSTED, null, "none came back");
    private @Nullable Throwable thrown;
    private @Nullable String missing;
    private ServerSnapshot.Builder server = ServerSnapshot.of("Fake");
    private final FakeQueryResult found = new FakeQueryResult();
    private boolean suspected;
    /** By default older than the request, so held for longer than usual. */
    private long ageMillis = 2_000;

    private void ours(@Nullable ServerSession session) {
        long id = leases.size() + 1L;
        leases.add(new LeaseTracker.Open(
                "worker-" + id,
                id,
                false,
                "OrderService.charge(OrderService.java:" + id + ")",
                Duration.ofMillis(ageMillis),
                Activity.UNKNOWN,
                null,
                null,
                suspected,
                session,
                null));
        if (session != null) {
            sessions.add(session);
        }
    }

    /** A session of a lease that has ended since the look. */
    private void ended(ServerSession session) {
        sessions.add(session);
        endedSince.add(session);
    }

    private void theirs(ServerSession session) {
        sessions.add(session);
    }

    private static ServerSession.Builder stranger(long id) {
        return ServerSession.of(id)
                .state(State.IDLE_IN_TRANSACTION, Duration.ofSeconds(14))
                .client("reporting", "10.0.0.7")
                .login("report", "db");
    }

    private static ServerSession runs(long id, Wait wait) {
        return ServerSession.of(id)
                .asked(true)
                .state(State.RUNNING, Duration.ofSeconds(2))
                .waitsFor(wait, wait == Wait.NONE ? null : wait.name())
                .build();
    }

    private Explanation explanation() {
        Map<Long, ServerSession> byLease = new HashMap<>();
        for (OpenLease lease : leases) {
            if (lease.inServer() instanceof ServerSession session) {
                byLease.put(lease.threadId(), session);
            }
        }
        endedSince.forEach(session -> byLease.put(1_000 + session.id(), session));
        SessionFindings.Query look =
                missing == null ? found.answered(server.sessions(sessions).build(), byLease) : found.missing(missing);
        int none = PoolSnapshot.UNKNOWN;
        Situation situation = new Situation(
                new FailedAttempt(
                        Attempt.only(0),
                        1_000 * MILLI,
                        why,
                        new StateReader.State(
                                none,
                                none,
                                none,
                                leases.size(),
                                0,
                                3,
                                0,
                                Duration.ZERO,
                                new PoolSnapshot(4, 0, 4, 0, 4, 0)),
                        thrown,
                        null),
                99,
                leases,
                1_000 * MILLI,
                samples,
                UsualLeases.NONE,
                PoolMode.RECOMMEND,
                false,
                List.of(),
                look,
                null,
                LEAK_NANOS,
                null);
        return ExplanationWriter.explain(7, "orders", "the summary", situation);
    }

    @Test
    void behindAHolderOfOursItsCallSiteIsNamed() {
        ours(FakeServer.idleInTransaction(11, true));
        ours(FakeServer.waits(12, true, 11L));
        ours(FakeServer.waits(13, true, 11L));
        Explanation explanation = explanation();
        assertThat(explanation.cause()).isEqualTo(Cause.BLOCKED_BY_HOLDER);
        assertThat(explanation.evidence())
                .startsWith(
                        "2 of the 3 leased connections wait in the server for a lock (Lock: transactionid), the"
                                + " longest for 2.0 s",
                        "all 2 wait behind session 11 of this pool, OrderService.charge(OrderService.java:1), idle in"
                                + " transaction for 3.0 s, transaction open for 4.0 s");
    }

    /** The session's last statement took the lock that others wait for, by the same text; its lease is open for 1.3 s. */
    private Explanation withALockOfTheSession(Duration idle) {
        ageMillis = 1_300;
        ours(ServerSession.of(11)
                .asked(true)
                .state(State.IDLE, idle)
                .statement("select lock()")
                .build());
        for (long id : new long[] {12, 13}) {
            ours(ServerSession.of(id)
                    .asked(true)
                    .state(State.RUNNING, Duration.ofMillis(100))
                    .statement("select lock()")
                    .waitsFor(Wait.LOCK, "Lock: advisory")
                    .sessionLock(true)
                    .blockedBy(List.of(11L))
                    .build());
        }
        return explanation();
    }

    /** The leases are read a second after the look has ended, and were as much younger then. */
    @Test
    void aLeaseThatWasYoungerAtTheLookThanTheLockIsNotBlamed() {
        assertThat(withALockOfTheSession(Duration.ofMillis(400)).text())
                .contains("an earlier lease of that connection took the lock");
    }

    @Test
    void aLeaseThatIsOlderThanTheLockHasIt() {
        assertThat(withALockOfTheSession(Duration.ofMillis(300)).text())
                .contains("all 2 wait behind session 11 of this pool, OrderService.charge(OrderService.java:1)");
    }

    /** A symptom of a busy machine: a look took 200 ms, and its answer was blamed on a lease that had begun meanwhile. */
    @Test
    void whatALongLookLeavesOpenIsUnknown() {
        found.took(Duration.ofMillis(200));
        assertThat(withALockOfTheSession(Duration.ofMillis(300)).text())
                .contains("unknown whether the current lease or an earlier lease took it");
    }

    /** No commit ends a lock that the session took outside of a transaction. */
    @Test
    void anotherSessionWithoutATransactionMustReleaseItsLock() {
        ours(FakeServer.waits(12, true, 4_711L));
        ours(FakeServer.waits(13, true, 4_711L));
        theirs(stranger(4_711)
                .state(State.IDLE, Duration.ofSeconds(3))
                .inTransaction(null)
                .build());
        assertThat(explanation().text())
                .contains("End session 4711, or let its client release the lock.")
                .doesNotContain("commit");
    }

    @Test
    void behindAnotherItsApplicationAndAddressAreNamed() {
        ours(FakeServer.waits(12, true, 4_711L));
        ours(FakeServer.waits(13, true, 12L));
        ours(runs(14, Wait.NONE));
        theirs(stranger(4_711).build());
        Explanation explanation = explanation();
        assertThat(explanation.cause()).isEqualTo(Cause.BLOCKED_BY_OTHER);
        assertThat(explanation.text())
                .contains(
                        "all 2 wait behind session 4711 of application 'reporting', user 'report', at 10.0.0.7, idle in"
                                + " transaction for 14.0 s");
    }

    @Test
    void behindAChangeOfTheSchemaThatIsNamedAndNotItsHead() {
        ours(FakeServer.idleInTransaction(11, true));
        ours(FakeServer.waits(12, true, 4_711L));
        ours(FakeServer.waits(13, true, 4_711L));
        theirs(stranger(4_711)
                .state(State.RUNNING, Duration.ofSeconds(3))
                .waitsFor(Wait.LOCK, "Lock: relation")
                .blockedBy(List.of(11L))
                .schemaChange(true)
                .build());
        Explanation explanation = explanation();
        assertThat(explanation.cause()).isEqualTo(Cause.BLOCKED_BY_DDL);
        assertThat(explanation.text())
                .contains("all 2 wait behind session 4711 of application 'reporting'")
                .contains("that session changes the schema")
                .contains(
                        "that session waits behind session 11 of this pool, OrderService.charge(OrderService.java:1)");
    }

    @Test
    void nobodyIsNamedInADeadlock() {
        ours(FakeServer.waits(11, true, 12L));
        ours(FakeServer.waits(12, true, 11L));
        assertThat(explanation().text())
                .contains("2 of the 2 leased connections wait")
                .doesNotContain("behind session");
        assertThat(explanation().cause()).isEqualTo(Cause.BLOCKED);
    }

    @Test
    void ownLeasesThatWaitForEachOtherAreNamedWithWhatWaitsBehindThem() {
        ours(FakeServer.waits(11, true, 12L));
        ours(FakeServer.waits(12, true, 11L));
        ours(FakeServer.waits(13, true, 12L));
        assertThat(explanation().cause()).isEqualTo(Cause.BLOCKED);
        assertThat(explanation().text())
                .contains("2 of them wait for each other, a deadlock: session 11,"
                        + " OrderService.charge(OrderService.java:1); session 12,"
                        + " OrderService.charge(OrderService.java:2); 1 waits behind these")
                .contains("Take the locks of a transaction in one order everywhere");
    }

    /** The victim's lease has ended: the lock does not pass on, as of a row that many update. */
    @Test
    void ofADeadlockWhoseVictimHasBeenReturnedTheRestIsNamed() {
        ours(FakeServer.waits(11, true, 12L));
        ended(FakeServer.waits(12, true, 11L));
        assertThat(explanation().cause()).isEqualTo(Cause.BLOCKED);
        assertThat(explanation().text())
                .contains("session 11, OrderService.charge(OrderService.java:1); session 12, lease ended")
                .doesNotContain("the lock passes");
    }

    @Test
    void aDeadlockWithAnotherClientIsNotOneOfOwnLeases() {
        ours(FakeServer.waits(11, true, 4_711L));
        ours(FakeServer.waits(12, true, 11L));
        theirs(FakeServer.waits(4_711, false, 11L));
        assertThat(explanation().text()).doesNotContain("wait for each other");
    }

    private static OpenLease billing() {
        return new LeaseTracker.Open(
                "worker-1",
                1,
                false,
                "Billing.charge(Billing.java:5)",
                Duration.ofSeconds(1),
                Activity.UNKNOWN,
                null,
                null,
                false,
                null,
                null);
    }

    @Test
    void aLockOfAnotherPoolOfThisJvmIsThatOfItsCallSite() {
        ours(FakeServer.waits(11, true, 4_711L));
        ours(FakeServer.waits(12, true, 4_711L));
        theirs(stranger(4_711).build());
        found.neighbour(4_711L, "billing", billing());
        assertThat(explanation().cause()).isEqualTo(Cause.BLOCKED_BY_OTHER);
        assertThat(explanation().text())
                .contains(
                        "all 2 wait behind session 4711 of pool 'billing' of this JVM, Billing.charge(Billing.java:5), idle"
                                + " in transaction for 14.0 s");
    }

    /** Its lease is a second old, and the session has run nothing for a minute. */
    @Test
    void aLockThatAnEarlierLeaseOfAnotherPoolLeftIsNotThatOfItsCallSite() {
        ours(FakeServer.waits(11, true, 4_711L));
        theirs(stranger(4_711).state(State.IDLE, Duration.ofMinutes(1)).build());
        found.neighbour(4_711L, "billing", billing());
        assertThat(explanation().cause()).isEqualTo(Cause.BLOCKED_BY_OTHER);
        assertThat(explanation().text())
                .contains("it waits behind session 4711 of pool 'billing' of this JVM, idle for")
                .contains("an earlier lease of that connection took the lock")
                .doesNotContain("Billing.charge");
    }

    /** Also where the look could not be made, because the server is full. */
    @Test
    void aFullServerIsSaidToBeFullOfThePoolsOfThisJvm() {
        why = new AcquisitionFailure(Kind.CONNECT_FAILED, "53300", "too many clients");
        missing = "it has no session left, and flexpool has no connection to it yet";
        found.pool("billing", 20, true);
        found.pool("reports", 3, null);
        assertThat(explanation().cause()).isEqualTo(Cause.SERVER_FULL);
        assertThat(explanation().text())
                .contains(
                        "open connections of the pools of this JVM: 20 of 'billing', 3 of 'reports', whose server is"
                                + " unknown",
                        "\n           the activity of the server is unknown: ");
    }

    /** Who waits behind a deadlock gets its lock when the server has ended that, whatever else is in the chain. */
    @Test
    void nobodyIsNamedBesideADeadlock() {
        ours(FakeServer.waits(11, true, 12L));
        ours(FakeServer.waits(12, true, 11L, 4_711L));
        theirs(stranger(4_711).build());
        assertThat(explanation().text()).doesNotContain("behind session");
    }

    @Test
    void nobodyIsNamedBehindASessionThatTheLookDidNotShow() {
        ours(FakeServer.waits(11, true, 4_711L, 4_712L));
        theirs(stranger(4_712).build());
        ours(FakeServer.waits(12, true, 11L));
        assertThat(explanation().text()).doesNotContain("behind session");
        assertThat(explanation().cause()).isEqualTo(Cause.BLOCKED);
    }

    /** Its lease has ended since, or it is another's session with the same number. */
    @Test
    void nobodyIsNamedBehindASessionThatWasAskedForAndIsNoLease() {
        ours(FakeServer.waits(11, true, 12L));
        theirs(FakeServer.idleInTransaction(12, true));
        assertThat(explanation().text()).doesNotContain("behind session");
    }

    /**
     * The demo's row lock was called demand, and "raise it" the advice, in 16 of 17 failures: the head of the chain had
     * committed between the look and the report.
     */
    @Test
    void aHotRowWhoseHeadHasEndedIsALock() {
        ageMillis = 5;
        theirs(FakeServer.idleInTransaction(11, true));
        for (long id = 12; id < 16; id++) {
            ours(FakeServer.waits(id, true, 11L));
        }
        for (int without = 0; without < 4; without++) {
            ours(null);
        }
        Explanation explanation = explanation();
        assertThat(explanation.cause()).isEqualTo(Cause.BLOCKED_BY_HOLDER);
        assertThat(explanation.text())
                .contains("4 of the 8 leased connections wait in the server for a lock (Lock: transactionid)")
                .contains("the lock passes from one transaction of this pool to the next")
                .contains("A larger pool would not help")
                .doesNotContain("behind session", "raise it", "would help if");
    }

    /** The lease that had the lock has gone, and so have some of those that waited: what was seen counts. */
    @Test
    void leasesThatHaveEndedSinceTheLookWaitedToo() {
        ended(FakeServer.idleInTransaction(11, true));
        ended(FakeServer.waits(12, true, 11L));
        ended(FakeServer.waits(13, true, 11L));
        ours(FakeServer.waits(14, true, 11L));
        ours(null);
        ours(null);
        ours(null);
        assertThat(explanation().cause()).isEqualTo(Cause.BLOCKED_BY_HOLDER);
        assertThat(explanation().text()).contains("3 of the 4 leased connections wait in the server");
    }

    @Test
    void aFewOfManyThatTheLookDidNotShowAreNoLock() {
        ours(FakeServer.waits(12, true, 4_711L));
        theirs(stranger(4_711).build());
        for (int without = 0; without < 6; without++) {
            ours(null);
        }
        assertThat(explanation().cause()).isNotIn(Cause.BLOCKED, Cause.BLOCKED_BY_OTHER);
    }

    /** One in ten is behind a session that can be named: it is not the cause. */
    @Test
    void theSessionThatBlocksTheFewestIsNotTheCause() {
        theirs(FakeServer.idleInTransaction(11, true));
        for (long id = 12; id < 20; id++) {
            ours(FakeServer.waits(id, true, 11L));
        }
        ours(FakeServer.waits(20, true, 4_711L));
        theirs(stranger(4_711).build());
        assertThat(explanation().cause()).isEqualTo(Cause.BLOCKED_BY_HOLDER);
        assertThat(explanation().text()).doesNotContain("4711 of application");
    }

    /** The look is up to a second old, the stack is not: both in one clause contradicted each other. */
    @Test
    void aHolderIsNotInTwoStatesAtOnce() {
        ours(FakeServer.waits(11, true, 4_711L));
        ours(FakeServer.waits(12, true, 4_711L));
        theirs(stranger(4_711).build());
        samples.put(1L, new ThreadSample(Place.IN_APPLICATION, "at Payments.authorise(Payments.java:27)"));
        samples.put(2L, new ThreadSample(Place.IN_DATABASE, "inside executeUpdate"));
        assertThat(explanation().holders().get(0).describe())
                .contains("without a statement (at Payments.authorise")
                .doesNotContain("session ");
        assertThat(explanation().holders().get(1).describe()).contains("session running");
    }

    /** Whatever their age: both holders are inside a statement. */
    @Test
    void whatRunsInTheServerHasNotLeaked() {
        suspected = true;
        ageMillis = 60_000;
        ours(runs(11, Wait.NONE));
        ours(runs(12, Wait.NONE));
        assertThat(explanation().cause()).isEqualTo(Cause.SERVER_BUSY);
        assertThat(explanation().text()).contains("2 of 2 open connections are leased for longer than leak.threshold");
    }

    @Test
    void whatIsIdleInTheServerForTheThresholdHasLeaked() {
        suspected = true;
        ageMillis = 60_000;
        for (long id = 11; id < 13; id++) {
            ours(ServerSession.of(id)
                    .asked(true)
                    .state(State.IDLE_IN_TRANSACTION, Duration.ofSeconds(31))
                    .build());
        }
        assertThat(explanation().cause()).isEqualTo(Cause.LEAK);
        assertThat(explanation().text())
                .contains("2 of them have run no statement for more than 30.0 s (leak.threshold)");
        leases.clear();
        ours(FakeServer.idleInTransaction(11, true));
        assertThat(explanation().cause()).as("idle for three seconds").isEqualTo(Cause.HELD_IDLE);
    }

    @Test
    void fewerThanHalfAreNotTheCauseButAreSaid() {
        ours(FakeServer.waits(11, true, 4_711L));
        theirs(stranger(4_711).build());
        for (long id = 12; id < 16; id++) {
            ours(runs(id, Wait.OTHER));
        }
        Explanation explanation = explanation();
        assertThat(explanation.cause()).isEqualTo(Cause.SLOW_DATABASE);
        assertThat(explanation.text()).contains("it waits behind session 4711");
    }

    @Test
    void aLockOfAMomentIsNotTheCause() {
        ageMillis = 5;
        ours(ServerSession.of(12)
                .asked(true)
                .state(State.RUNNING, Duration.ofMillis(5))
                .waitsFor(Wait.LOCK, "Lock: tuple")
                .blockedBy(List.of(4_711L))
                .build());
        theirs(stranger(4_711).build());
        assertThat(explanation().cause()).isEqualTo(Cause.DEMAND);
    }

    @Test
    void aBusyServerIsNamed() {
        ours(runs(11, Wait.NONE));
        ours(runs(12, Wait.IO));
        ours(runs(13, Wait.OTHER));
        assertThat(explanation().cause()).isEqualTo(Cause.SERVER_BUSY);
        ageMillis = 5;
        leases.clear();
        ours(runs(11, Wait.NONE));
        assertThat(explanation().cause()).as("leases as short as ever").isEqualTo(Cause.DEMAND);
    }

    @Test
    void aSleepIsSlowAndNotBusy() {
        ours(runs(11, Wait.OTHER));
        ours(runs(12, Wait.OTHER));
        assertThat(explanation().cause()).isEqualTo(Cause.SLOW_DATABASE);
    }

    @Test
    void heldIdleHasItsProof() {
        ours(FakeServer.idleInTransaction(11, true));
        ours(FakeServer.idleInTransaction(12, true));
        samples.put(1L, new ThreadSample(Place.IN_DATABASE, "inside another pool's call"));
        Explanation explanation = explanation();
        assertThat(explanation.cause()).isEqualTo(Cause.HELD_IDLE);
        assertThat(explanation.evidence())
                .startsWith(
                        "2 of the 2 leased connections are idle in transaction in the server, the longest for 3.0 s");
        assertThat(explanation.text()).containsPattern("  session idle in transaction for 3.0 s +in worker-2");
    }

    @Test
    void whatIsNotVisibleIsSaidAndTheOldCauseStays() {
        server = server.notVisible(List.of("states of other users"));
        ours(ServerSession.of(11).asked(true).build());
        ours(null);
        samples.put(1L, new ThreadSample(Place.IN_DATABASE, "inside execute"));
        Explanation explanation = explanation();
        assertThat(explanation.cause()).isEqualTo(Cause.SLOW_DATABASE);
        assertThat(explanation.text()).contains("not visible: states of other users");
    }

    @Test
    void aLookThatCameLateIsSaidAndTheOldCauseStays() {
        missing = "it did not answer within 200 ms";
        ours(null);
        assertThat(explanation().cause()).isEqualTo(Cause.HELD);
        assertThat(explanation().text())
                .contains("the activity of the server is unknown: it did not answer within 200 ms");
    }

    @Test
    void aFullServerNamesWhoHasItsSessions() {
        Map<String, Integer> counts = new LinkedHashMap<>();
        counts.put("orders", 8);
        counts.put("reporting", 44);
        server = server.slots(97, 97)
                .sessionsByApplication(counts)
                .limit(new ServerSnapshot.Limit(ServerSnapshot.Limit.Kind.ROLE, "app", 60, 60));
        why = new AcquisitionFailure(Kind.CONNECT_FAILED, "53300", "too many");
        Explanation explanation = explanation();
        assertThat(explanation.cause()).isEqualTo(Cause.SERVER_FULL);
        assertThat(explanation.text())
                .contains("97 of 97 usable sessions are in use, 44 by application 'reporting', 8 by application"
                        + " 'orders'")
                .contains("role 'app' may have 60 sessions, of which 60 are in use")
                .contains("make the pools of all clients smaller");
    }

    @Test
    void mysqlSaysSoByItsErrorCode() {
        why = new AcquisitionFailure(Kind.CONNECT_FAILED, "08004", "too many");
        assertThat(explanation().cause()).isEqualTo(Cause.CONNECT_FAILURE);
        thrown = new SQLException("pool", new SQLException("Too many connections", "08004", 1_040));
        assertThat(explanation().cause()).isEqualTo(Cause.SERVER_FULL);
    }
}
