// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.fleet.FleetLedger.Outcome;
import io.flexpool.fleet.FleetLedger.Row;
import io.flexpool.fleet.FleetLedger.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

class FleetLedgerTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final FleetRules RULES = new FleetRules(100, 4, 10);

    private static Row row(String member, int granted, int held, int want, long agoMillis) {
        return new Row(member, granted, held, want, 0, 0, 7, NOW - agoMillis);
    }

    private static Outcome renew(List<Row> rows, int held, int want) {
        return FleetLedger.renew(new State(0L, "", rows), "", NOW, new Renewal("me", 8, 0, held, want, RULES));
    }

    private static List<Row> with(Row... others) {
        List<Row> rows = new ArrayList<>(Arrays.asList(others));
        rows.add(row("me", 1, 1, 1, 2_000));
        return rows;
    }

    @Test
    void whatNobodyWantsGoesToThoseWhoDoAndOneIsKeptForEachWhoIsNotKnown() {
        // 100 less 10 reserved, 2 for those who may still come, and 5 for the other.
        assertThat(renew(with(row("b", 5, 5, 5, 0)), 1, 200).grant().granted()).isEqualTo(83);
    }

    @Test
    void whoWantsMoreThanTheFairPartGetsIt() {
        List<Row> rows = with(row("b", 40, 20, 60, 0), row("c", 5, 5, 5, 0));
        // (90 - 1 - 5) / 2.
        assertThat(renew(rows, 1, 60).grant().granted()).isEqualTo(42);
    }

    @Test
    void nothingIsGivenThatIsStillBooked() {
        assertThat(renew(with(row("b", 20, 80, 60, 0)), 1, 60).grant().granted())
                .isEqualTo(8);
    }

    @Test
    void whoHoldsTooMuchIsToldSoAndStaysBookedWithIt() {
        Outcome outcome = renew(with(row("b", 20, 20, 60, 0)), 60, 60);
        assertThat(outcome.grant().granted()).isEqualTo(44);
        assertThat(outcome.own().held()).isEqualTo(60);
        assertThat(outcome.grant().booked()).isEqualTo(80);
    }

    private static Row capped(String member, int cap, long agoMillis) {
        return new Row(member, 1, 1, 1, cap, Math.max(0, cap / 20), 7, NOW - agoMillis);
    }

    private static Outcome renew(FleetRules rules, Row... others) {
        return FleetLedger.renew(new State(0L, "", List.of(others)), "", NOW, new Renewal("me", 1, 0, 3, 99, rules));
    }

    @Test
    void theSmallestCapOfALiveMemberCountsForAll() {
        assertThat(renew(RULES, capped("b", 60, 0), capped("c", 80, 0)).grant().cap())
                .isEqualTo(60);
        assertThat(renew(RULES, capped("b", 60, 0)).own().cap())
                .as("its own is kept")
                .isEqualTo(100);
        assertThat(renew(RULES, capped("b", 60, 11_000), capped("c", 80, 0))
                        .grant()
                        .cap())
                .as("a silent one has no say")
                .isEqualTo(80);
        assertThat(renew(RULES, capped("b", 0, 0)).grant().cap()).isEqualTo(100);
        Outcome nonsense = renew(RULES, capped("b", -5, 0), capped("c", FleetRules.MOST + 1, 0));
        assertThat(nonsense.grant().cap()).isEqualTo(100);
        assertThat(nonsense.grant().ignored()).isEqualTo(2);
    }

    @Test
    void theReserveIsThatOfTheSmallestNumberAndTheLargestOfThoseWhoHaveIt() {
        Row large = new Row("b", 1, 1, 1, 500, 25, 7, NOW);
        Row small = new Row("c", 1, 1, 1, 20, 1, 7, NOW);
        Row careful = new Row("d", 1, 1, 1, 20, 4, 7, NOW);
        assertThat(renew(RULES, large, small).grant().reserve()).isEqualTo(1);
        assertThat(renew(RULES, small, large, careful).grant().reserve()).isEqualTo(4);
        assertThat(renew(RULES, large).grant().reserve()).isEqualTo(10);
        assertThat(renew(RULES, new Row("b", 1, 1, 1, 20, 20, 7, NOW)).grant().ignored())
                .as("a reserve that is all there is")
                .isEqualTo(1);
    }

    @Test
    void theMemberWithTheSmallestOtherNumberIsNamed() {
        Row large = new Row("b", 1, 1, 1, 500, 25, 7, NOW);
        Row small = new Row("c", 1, 1, 1, 20, 1, 7, NOW);
        Row same = new Row("d", 1, 1, 1, 100, 10, 7, NOW);
        Row careful = new Row("e", 1, 1, 1, 100, 11, 7, NOW);
        assertThat(renew(RULES, large, small, same).grant().differs())
                .extracting(FleetMember::name, FleetMember::cap, FleetMember::reserve)
                .containsExactly("c", 20, 1);
        assertThat(renew(RULES, large, careful).grant().differs())
                .extracting(FleetMember::name, FleetMember::reserve)
                .containsExactly("e", 11);
        assertThat(renew(RULES, same).grant().differs()).isNull();
        assertThat(renew(RULES, capped("b", 0, 0)).grant().differs())
                .as("no number")
                .isNull();
        assertThat(renew(RULES, capped("b", 20, 11_000)).grant().differs())
                .as("silent")
                .isNull();
        assertThat(renew(new FleetRules(FleetRules.UNKNOWN, 4, 0), small)
                        .grant()
                        .differs())
                .isNull();
    }

    @Test
    void withoutACapNothingGrows() {
        FleetRules unknown = new FleetRules(FleetRules.UNKNOWN, 4, 0);
        Grant grant = renew(unknown, capped("b", 0, 0)).grant();
        assertThat(grant.granted()).isEqualTo(3);
        assertThat(grant.cap()).isEqualTo(FleetRules.UNKNOWN);
        assertThat(grant.free()).isZero();
        assertThat(renew(unknown, capped("b", 60, 0)).grant().granted()).isGreaterThan(3);
    }

    @Test
    void whatDoesNotDivideIsGivenToo() {
        int all = 0;
        for (String me : List.of("a", "b", "c")) {
            List<Row> rows = new ArrayList<>();
            for (String each : List.of("a", "b", "c")) {
                rows.add(row(each, 1, 1, 99, 0));
            }
            Renewal renewal = new Renewal(me, 8, 0, 1, 99, new FleetRules(101, 3, 1));
            all += FleetLedger.renew(new State(0L, "", rows), "", NOW, renewal)
                    .grant()
                    .granted();
        }
        assertThat(all).isEqualTo(100);
    }

    @Test
    void aSilentMemberKeepsAllForAWhileThenItsShareThenNothing() {
        assertThat(renew(with(row("b", 50, 50, 50, 39_000)), 1, 99).grant().granted())
                .isEqualTo(38);
        assertThat(renew(with(row("b", 50, 50, 50, 41_000)), 1, 99).grant().granted())
                .isEqualTo(66);
        Outcome after = renew(with(row("b", 50, 50, 50, 71_000)), 1, 99);
        assertThat(after.grant().granted()).isEqualTo(87);
        assertThat(after.forgotten()).containsExactly("b");
    }

    @Test
    void aSilentMemberWithLessThanItsShareMayHaveRisenToIt() {
        assertThat(renew(with(row("b", 1, 1, 1, 20_000)), 1, 99).grant().granted())
                .isEqualTo(66);
    }

    @Test
    void aLateRenewalChangesNothing() {
        Row last = new Row("me", 9, 12, 12, 100, 10, 30, NOW - 100);
        Outcome late =
                FleetLedger.renew(new State(0L, "", List.of(last)), "", NOW, new Renewal("me", 29, 0, 1, 1, RULES));
        assertThat(late.own()).isEqualTo(last);
        assertThat(late.grant().granted()).isEqualTo(9);
    }

    @Test
    void anEmptyStoreLetsNothingGrowForALease() {
        Outcome first = FleetLedger.renew(State.NONE, "", NOW, new Renewal("me", 3, 0, 12, 50, RULES));
        assertThat(first.grant().granted()).isEqualTo(12);
        assertThat(first.grant().calm()).isTrue();
        assertThat(first.calmUntilMillis()).isEqualTo(NOW + 12_000);
        State then = new State(first.calmUntilMillis(), "", List.of(first.own()));
        assertThat(FleetLedger.renew(then, "", NOW + 11_000, new Renewal("new", 1, 0, 0, 50, RULES))
                        .grant()
                        .granted())
                .isEqualTo(1);
    }

    @Test
    void aMemberThatTheStoreDoesNotKnowAnyMoreShowsThatItHasLostThem() {
        Outcome outcome = FleetLedger.renew(
                new State(0L, "", List.of(row("b", 1, 1, 1, 0))), "", NOW, new Renewal("me", 2, 1, 9, 50, RULES));
        assertThat(outcome.grant().granted()).isEqualTo(9);
        assertThat(outcome.grant().calm()).isTrue();
    }

    @Test
    void aStoreInWhichNobodyWasHeardForALeaseLetsNothingGrow() {
        assertThat(renew(List.of(row("me", 9, 9, 9, 11_000)), 9, 50).grant().calm())
                .isTrue();
        assertThat(renew(List.of(row("me", 9, 9, 9, 9_000)), 9, 50).grant().calm())
                .isFalse();
    }

    @Test
    void aNewMemberIsNoSignOfALoss() {
        Outcome outcome = FleetLedger.renew(
                new State(0L, "", List.of(row("b", 1, 1, 1, 0))), "", NOW, new Renewal("new", 1, 0, 0, 50, RULES));
        assertThat(outcome.grant().calm()).isFalse();
        assertThat(outcome.grant().granted()).isEqualTo(50);
    }

    @Test
    void entriesThatMakeNoSenseAreRemoved() {
        List<Row> rows = with(
                row("negative", -50, 1, 1, 0),
                row("huge", Integer.MAX_VALUE, 1, 1, 0),
                row("", 50, 1, 1, 0),
                row("two\nlines", 50, 1, 1, 0),
                row("x".repeat(101), 50, 1, 1, 0),
                new Row("largest", 50, 50, 50, 100, 10, Long.MAX_VALUE, NOW),
                new Row("never", 50, 50, 50, 100, 10, 0, NOW));
        rows.add(null);
        Outcome outcome = renew(rows, 1, 99);
        assertThat(outcome.grant().ignored()).isEqualTo(8);
        assertThat(outcome.grant().granted()).isEqualTo(87);
        assertThat(outcome.forgotten())
                .containsExactly("negative", "huge", "", "two\nlines", "x".repeat(101), "largest", "never");
    }

    /** That takes as many renewals as there are thousands of them. */
    @Test
    void aRenewalRemovesAThousandOfThemAtMost() {
        List<Row> rows = with();
        for (int at = 0; at < 5_000; at++) {
            rows.add(row("ghost" + at, -1, 1, 1, 0));
        }
        Outcome outcome = renew(rows, 1, 99);
        assertThat(outcome.grant().ignored()).isEqualTo(5_000);
        assertThat(outcome.forgotten()).hasSize(1_000);
    }

    /** It is written, and that is enough. */
    @Test
    void anEntryOfTheMembersOwnNameThatMakesNoSenseIsNotRemoved() {
        Row own = new Row("me", -1, 1, 1, 100, 10, 7, NOW);
        Outcome outcome =
                FleetLedger.renew(new State(0L, "", List.of(own)), "", NOW, new Renewal("me", 8, 7, 3, 9, RULES));
        assertThat(outcome.forgotten()).isEmpty();
        assertThat(outcome.grant().calm()).as("what it was granted is lost").isTrue();
    }

    @Test
    void aTimeFromAfterTheStoresClockCountsAsNow() {
        Row ahead = row("b", 50, 50, 50, -3_500_000);
        Row far = new Row("c", 5, 5, 5, 0, 0, 7, Long.MAX_VALUE);
        Outcome outcome = renew(with(ahead, far, row("d", 1, 1, 1, 0)), 1, 99);
        assertThat(outcome.grant().ignored()).isZero();
        assertThat(outcome.corrected())
                .extracting(Row::member, Row::held, Row::renewedMillis)
                .containsExactly(Tuple.tuple("b", 50, NOW), Tuple.tuple("c", 5, NOW));
    }

    @Test
    void anotherServerThanTheOneThatWroteTheEntriesLetsNothingGrow() {
        Renewal renewal = new Renewal("me", 8, 7, 1, 99, RULES);
        for (String[] servers : new String[][] {{"a", "b", "calm"}, {"a", "a", ""}, {"", "b", ""}, {"a", "", ""}}) {
            Outcome outcome = FleetLedger.renew(new State(0L, servers[0], with()), servers[1], NOW, renewal);
            assertThat(outcome.grant().calm())
                    .as(servers[0] + " and then " + servers[1])
                    .isEqualTo(!servers[2].isEmpty());
        }
    }

    @Test
    void anOlderRenewalThanTheOneThatWasAnsweredLetsNothingGrow() {
        State kept = new State(0L, "", with());
        assertThat(FleetLedger.renew(kept, "", NOW, new Renewal("me", 9, 7, 5, 99, RULES))
                        .grant()
                        .calm())
                .isFalse();
        Grant older = FleetLedger.renew(kept, "", NOW, new Renewal("me", 9, 8, 5, 99, RULES))
                .grant();
        assertThat(older.calm()).isTrue();
        assertThat(older.granted()).isEqualTo(5);
    }

    @Test
    void aCalmThatIsFarAheadIsCut() {
        Outcome outcome =
                FleetLedger.renew(new State(Long.MAX_VALUE, "", with()), "", NOW, new Renewal("me", 8, 0, 1, 9, RULES));
        assertThat(outcome.calmUntilMillis()).isEqualTo(NOW + 12_000);
    }

    @Test
    void moreMembersThanFitGetOneEach() {
        FleetRules small = new FleetRules(4, 2, 1);
        State full = new State(0L, "", List.of(row("a", 2, 2, 2, 0), row("b", 1, 1, 1, 0)));
        assertThat(FleetLedger.renew(full, "", NOW, new Renewal("c", 1, 0, 0, 9, small))
                        .grant()
                        .granted())
                .isEqualTo(1);
    }

    @Test
    void namesArePlainAndBounded() {
        assertThat(new Renewal("a\u001b[31mb\n" + "c".repeat(500), 1, 0, 0, 1, RULES).member())
                .hasSize(100)
                .doesNotContain("\n", "\u001b");
        assertThat(new Renewal("a", 1, 0, -5, 2_000_000, RULES))
                .extracting(Renewal::held, Renewal::want)
                .containsExactly(0, 100_000);
        assertThatThrownBy(() -> Renewal.name(" \n ")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Renewal("a", 0, 0, 1, 1, RULES)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Renewal("a", 3, 3, 1, 1, RULES)).hasMessageContaining("acknowledged = 3");
        assertThat(new FleetRules(FleetRules.UNKNOWN, 3, 0).share()).isEqualTo(FleetRules.BOOT);
        assertThat(new FleetRules(FleetRules.UNKNOWN, 3, 0).known()).isFalse();
        assertThatThrownBy(() -> new FleetRules(FleetRules.UNKNOWN, 3, 1)).hasMessageContaining("reserve = 1");
        assertThatThrownBy(() -> new FleetRules(5, 1, 5)).hasMessageContaining("reserve = 5");
        assertThatThrownBy(() -> new FleetRules(0, 1, 0)).hasMessageContaining("cap = 0");
    }
}
