// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.pool.ShedException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** Which exceptions are answered with 503, and when another request may come. */
class UnavailableResolverTest {
    private final MockHttpServletResponse response = new MockHttpServletResponse();

    private static boolean resolves(Throwable cause, MockHttpServletResponse response) {
        return new UnavailableResolver()
                        .resolveException(
                                new MockHttpServletRequest(), response, null, new IllegalStateException(cause))
                != null;
    }

    /** The header has whole seconds, at least one. */
    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "1000, 1", "1001, 2", "59500, 60"})
    void aRequestThatWasShedMayComeAgainWhenThePoolSays(long millis, String seconds) {
        ShedException shed = new ShedException("it would have been late", Duration.ofMillis(millis));
        assertThat(resolves(new SQLTransientConnectionException("the pool's own", null, shed), response))
                .isTrue();
        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(response.getHeader("Retry-After")).isEqualTo(seconds);
    }

    @ParameterizedTest
    @CsvSource({
        "'a: no connection after 12 ms: exhausted, every connection is in use; limit 1', true",
        "'a: no connection after 12 ms and 3 attempts: exhausted: web holds 1', true",
        "'a: no connection after 12 ms: class web is at its maximum: web holds 1 of 1', true",
        "'a: no connection after 12 ms: not exhausted: the database refuses connections', false",
        "'a: no connection after 12 ms: connections have leaked\n  cause    exhausted', true",
        "'a: no connection after 12 ms and 2 attempts: more demand than connections | cause: exhausted', true",
        "'a: no connection after 12 ms: connecting to the database fails\n  cause    exhausted, so', false",
        "'a: no connection after 12 ms: the server allows no more sessions | cause: exhausted', false",
        "'a: no connection after 12 ms: the pool is closed', false",
        "'exhausted, every connection is in use', false"
    })
    void onlyExhaustionIsAnsweredSo(String report, boolean answered) {
        SQLException own = new SQLException("the pool's own");
        own.addSuppressed(new SQLException(report));
        assertThat(resolves(own, response)).isEqualTo(answered);
        assertThat(resolves(new SQLException(report), new MockHttpServletResponse()))
                .isEqualTo(answered);
    }

    @Test
    void whatHasBeenSentIsLeftAlone() {
        response.setCommitted(true);
        assertThat(resolves(new ShedException("late", Duration.ZERO), response)).isFalse();
        assertThat(response.getStatus()).isEqualTo(200);
    }
}
