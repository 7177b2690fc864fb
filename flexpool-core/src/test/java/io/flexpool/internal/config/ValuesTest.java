// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.flexpool.pool.PoolMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Values by key: what holds without one, and what is refused. */
class ValuesTest {
    private static final Refusals REFUSALS = new Refusals("orders", Map.of());

    @Test
    void withoutAValueTheFallbackHolds() {
        assertThat(Values.NONE.get(CoreKey.MODE, PoolMode.class)).isEqualTo(PoolMode.RECOMMEND);
        assertThat(Values.NONE.count(CoreKey.CALL_SITES_SAMPLE_EVERY)).isEqualTo(256);
        assertThat(Values.NONE.duration(CoreKey.SIZING_WAIT_TARGET)).isEqualTo(Duration.ofMillis(10));
        assertThat(Values.NONE.nanos(CoreKey.LONG_LEASE)).isEqualTo(Long.MAX_VALUE);
        assertThat(Values.NONE.texts(CoreKey.LISTENERS)).isEmpty();
        assertThat(Values.NONE.has(CoreKey.MODE)).isFalse();
    }

    @Test
    void aValueReplaces() {
        Values values = Values.NONE.with(CoreKey.BASE, 3).with(CoreKey.BASE, 4);
        assertThat(values.count(CoreKey.BASE)).isEqualTo(4);
    }

    @Test
    void aListAdds() {
        Values values = Values.NONE
                .with(CoreKey.CALL_SITES_IGNORE, List.of("a."))
                .with(CoreKey.CALL_SITES_IGNORE, List.of("b."));
        assertThat(values.texts(CoreKey.CALL_SITES_IGNORE)).containsExactly("a.", "b.");
    }

    @Test
    void theEndsOfARangeAreInIt() {
        check(Values.NONE.with(CoreKey.BASE, 1));
        check(Values.NONE.with(CoreKey.BASE, 10_000));
        check(Values.NONE.with(CoreKey.LONG_LEASE, Duration.ofDays(1)));
        refused(Values.NONE.with(CoreKey.BASE, 0), "base = 0: must be from 1 to 10000");
        refused(Values.NONE.with(CoreKey.BASE, 10_001), "base = 10001: must be from 1 to 10000");
        refused(
                Values.NONE.with(CoreKey.LONG_LEASE, Duration.ZERO),
                "long-lease = PT0S: must be above PT0S and at most P1D");
        refused(
                Values.NONE.with(CoreKey.CALL_SITES_IGNORE, List.of(" ")),
                "call-sites.ignore = ' ': must not be blank");
    }

    @Test
    void allThatIsOutOfRangeIsRefusedAndLeftOut() {
        Problems problems = new Problems();
        Values good = Values.NONE
                .with(CoreKey.BASE, 0)
                .with(CoreKey.LONG_LEASE, Duration.ZERO)
                .with(CoreKey.CEILING, 7)
                .checked(REFUSALS, problems);
        assertThat(good.has(CoreKey.BASE)).isFalse();
        assertThat(good.count(CoreKey.CEILING)).isEqualTo(7);
        assertThat(problems.about(CoreKey.CEILING)).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(problems::throwIfAny)
                .withMessageContainingAll("base = 0: must be", System.lineSeparator(), "long-lease = PT0S: must be");
    }

    /** {@code key: off} in YAML 1.1, without quotes, arrives as the text false. */
    @Test
    void yamlsFalseIsOffIfAKeyAllowsOff() {
        assertThat(ValueRule.choice(Use.AUTO).read("false")).isEqualTo(Use.OFF);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ValueRule.choice(Use.AUTO).read("true"))
                .withMessageContaining("true");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ValueRule.choice(PoolMode.ADAPT).read("false"))
                .withMessageContaining("false");
    }

    private enum Use {
        AUTO,
        OFF
    }

    private static void check(Values values) {
        Problems problems = new Problems();
        values.checked(REFUSALS, problems);
        problems.throwIfAny();
    }

    private static void refused(Values values, String refusal) {
        assertThatIllegalArgumentException().isThrownBy(() -> check(values)).withMessage("orders: " + refusal);
    }
}
