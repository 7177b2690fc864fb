// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ShedExceptionTest {
    private final ShedException shed = new ShedException("shed", Duration.ofMillis(200));

    @Test
    void whenToTryAgainIsFoundHoweverItIsWrapped() {
        assertThat(ShedException.retryAfter(shed)).contains(Duration.ofMillis(200));
        SQLException pools = new SQLException("no connection", new IllegalStateException("timeout", shed));
        assertThat(ShedException.retryAfter(new IllegalArgumentException(pools)))
                .contains(Duration.ofMillis(200));
        SQLException beside = new SQLException("no connection");
        beside.addSuppressed(shed);
        assertThat(ShedException.retryAfter(new IllegalArgumentException(beside)))
                .contains(Duration.ofMillis(200));
    }

    @Test
    void anyOtherFailureHasNone() {
        assertThat(ShedException.retryAfter(new SQLException("no connection"))).isEmpty();
    }

    @Test
    void itHasNoStackTraceAndNoState() {
        assertThat(shed.getStackTrace()).isEmpty();
        assertThat(shed.getSQLState()).isNull();
    }
}
