// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.server.ServerSnapshot.Application;
import io.flexpool.server.ServerSnapshot.Limit;
import io.flexpool.server.SessionBudget.Fit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SessionBudgetTest {
    /** 97 usable sessions, of which the application has 41 from 3 addresses. */
    private static SessionBudget budget(int ceiling, int fleetCap, int used, @Nullable Limit limit) {
        return new SessionBudget(
                "orders",
                ceiling,
                fleetCap,
                ServerSnapshot.of("PostgreSQL")
                        .slots(used, 97)
                        .reserved(3)
                        .application(new Application("shop", 41, 3))
                        .limit(limit)
                        .build(),
                null);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "20 | 53 | MORE | orders: ceiling 20 x 3 instances = 60 connections: they fit, and one more instance fits;"
                        + " sessions: 97 usable, 41 by 'shop' from 3 addresses, 12 by other clients",
                "25 | 53 | FULL | orders: ceiling 25 x 3 instances = 75 connections: they fit, and one more instance does"
                        + " not fit; sessions: 97 usable, 41 by 'shop' from 3 addresses, 12 by other clients",
                "50 | 53 | OVER | orders: ceiling 50 x 3 instances = 150 connections: they exceed the 85 sessions that"
                        + " other clients leave free, only 1 instance fits; sessions: 97 usable, 41 by 'shop' from 3 addresses, 12 by"
                        + " other clients",
                "-1 | 53 | UNKNOWN | orders: the pool may open an unknown number of connections: it is unknown"
                        + " whether they fit; sessions: 97 usable, 41 by 'shop' from 3 addresses, 12 by other clients"
            })
    void itSaysWhetherOneMoreInstanceFits(int ceiling, int used, Fit fit, String words) {
        SessionBudget budget = budget(ceiling, 0, used, null);
        assertThat(budget.fit()).isEqualTo(fit);
        assertThat(budget.describe()).isEqualTo(words);
    }

    /** The report said "1 instance of 'PostgreSQL JDBC Driver'". */
    @ParameterizedTest
    @ValueSource(strings = {"", "PostgreSQL JDBC Driver", "MySQL Connector/J"})
    void theDriversNameIsNoApplication(String name) {
        SessionBudget budget = new SessionBudget(
                "orders",
                20,
                0,
                ServerSnapshot.of("PostgreSQL")
                        .slots(53, 97)
                        .application(new Application(name, 41, 1))
                        .build(),
                null);
        // Was "they fit", and "41 used by 1 instance": the pool may open 20, so other programs have the rest.
        assertThat(budget.fit()).isEqualTo(Fit.UNKNOWN);
        assertThat(budget.describe())
                .endsWith(
                        "it is unknown whether they fit;"
                                + " sessions: 97 usable, 41 by all clients of this user without an application name from 1 address, 12 by other clients");
    }

    /** 85 are left to the application: 97 without the 12 of others. */
    @Test
    void theLastInstanceThatFitsIsTheOneThatFillsWhatIsLeft() {
        assertThat(budget(17, 0, 53, null).room()).isEqualTo(5);
        assertThat(budget(85, 0, 53, null).room()).isEqualTo(1);
        assertThat(budget(86, 0, 53, null).room()).isEqualTo(0);
        assertThat(budget(21, 0, 53, null).fit()).isEqualTo(Fit.MORE);
        assertThat(budget(22, 0, 53, null).fit()).isEqualTo(Fit.FULL);
    }

    @Test
    void aFleetIsJudgedByItsNumber() {
        assertThat(budget(20, 85, 53, null).fit()).isEqualTo(Fit.MORE);
        SessionBudget over = budget(20, 86, 53, null);
        assertThat(over.fit()).isEqualTo(Fit.OVER);
        assertThat(over.describe())
                .isEqualTo(
                        "orders: the fleet may open 86 connections: they exceed the 85 sessions that other clients leave free;"
                                + " sessions: 97 usable, 41 by 'shop' from 3 addresses, 12 by other clients");
    }

    @Test
    void aNarrowerLimitCounts() {
        SessionBudget budget = budget(20, 0, 53, new Limit(Limit.Kind.ROLE, "app", 60, 45));
        assertThat(budget.usable()).isEqualTo(60);
        assertThat(budget.left()).isEqualTo(56);
        assertThat(budget.describe()).contains("; sessions: 60 usable (the limit of role 'app'), 41 by ");
        // The server is fuller than the limit says.
        assertThat(budget(20, 0, 90, new Limit(Limit.Kind.DATABASE, "shop", 60, 41))
                        .left())
                .isEqualTo(48);
        assertThat(budget(20, 0, 53, new Limit(Limit.Kind.DATABASE, "shop", 60, ServerSnapshot.UNKNOWN))
                        .left())
                .isEqualTo(60);
    }

    @Test
    void neverLessThanNothingIsLeft() {
        assertThat(budget(20, 0, 200, null).left()).isZero();
        assertThat(budget(20, 0, 53, null).left(60)).isEqualTo(97);
    }

    @Test
    void whatWasNotSaidIsUnknown() {
        SessionBudget hidden = new SessionBudget(
                "orders", 20, 0, ServerSnapshot.of("").build(), "the server does not know the sessions");
        assertThat(hidden.fit()).isEqualTo(Fit.UNKNOWN);
        assertThat(hidden.usable()).isEqualTo(ServerSnapshot.UNKNOWN);
        assertThat(hidden.sessions()).isEqualTo(ServerSnapshot.UNKNOWN);
        assertThat(hidden.left()).isEqualTo(ServerSnapshot.UNKNOWN);
        assertThat(hidden.room()).isEqualTo(ServerSnapshot.UNKNOWN);
        assertThat(hidden.describe())
                .isEqualTo("orders: the number of free sessions on the server is unknown: the server does not know the"
                        + " sessions");
    }

    @Test
    void singleSessionsAreLeftOut() {
        ServerSnapshot whole = ServerSnapshot.of("PostgreSQL")
                .sessions(List.of(
                        ServerSession.of(4).asked(true).statement("select 1").build()))
                .build();
        assertThat(new SessionBudget("orders", 20, 0, whole, null).server().sessions())
                .isEmpty();
    }
}
