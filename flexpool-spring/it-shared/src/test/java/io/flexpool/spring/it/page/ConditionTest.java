// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flexpool.spring.actuator.FlexPoolEndpoint;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The page's first sentence, for answers of the endpoint that a test cannot wait for: its script alone, without a browser. */
@Timeout(300)
class ConditionTest {
    private static String said(String detail) throws Exception {
        Optional<Path> node = InstalledChromium.installed("node", "nodejs");
        assumeTrue(node.isPresent(), "no Node.js is installed: the page's script is not tested");
        Process process = new ProcessBuilder(node.orElseThrow().toString(), "-")
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().write(script(detail).getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        return said;
    }

    private static String script(String detail) throws Exception {
        return String.format(Locale.ROOT, """
            'use strict';
            const nodes = {};
            globalThis.document = { getElementById: id => (nodes[id] = nodes[id] || { dataset: {}, textContent: '' }) };
            const FlexPoolChart = { clock: millis => 'T' + millis };
            const FlexPoolEvents = { lastTime: event => event.lastTimeEpochMillis || event.timeEpochMillis };
            const read = { serverTime: 2 };
            const FlexPoolReading = { read, serverNow: () => 30000 };
            %s
            %s
            %s
            const counters = { timeouts: 0, connectFailures: 0 };
            const acquisition = { rejected: { count: 0 }, ok: { count: 7 } };
            read.detail = Object.assign({
              name: 'orders', enabled: true, phase: 'open', limits: { max: 4 }, connectFailuresInARow: 0,
              state: { active: 0, pending: 0, waiting: 0, oldestWaitMillis: 0, scaleOutHelps: true }, events: [],
              statistics: { total: { counters: { connectFailures: 3 }, acquisition }, recent: { counters, acquisition } },
            }, %s);
            FlexPoolCondition.show();
            console.log(nodes['condition'].dataset.state + '|' + nodes['condition-said'].textContent + '|'
              + nodes['condition-figures'].textContent);
            """, part("words.js"), part("blocking.js"), part("condition.js"), detail);
    }

    private static String part(String name) throws Exception {
        try (InputStream in = FlexPoolEndpoint.class.getResourceAsStream("page/" + name)) {
            assertThat(in).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aPoolThatServesIsCalm() throws Exception {
        assertThat(said("{}")).isEqualTo("calm|No request is waiting.|");
    }

    /** The page was opened 24 s after the outage began, and said that nothing waits. */
    @Test
    void anOutageLastsUntilARequestIsServed() throws Exception {
        String event =
                "{ kind: 'connect-failure', timeEpochMillis: 5000, lastTimeEpochMillis: 6000, reason: 'SQLState 08001' }";
        assertThat(said("{ connectFailuresInARow: 3, events: [" + event + "] }"))
                .isEqualTo("bad|The database refuses connections or cannot be reached: SQLState 08001."
                        + "|Last failure at T6000. No request has been served since.");
        assertThat(said("{ connectFailuresInARow: 0, events: [" + event + "] }"))
                .startsWith("calm|No request is waiting.");
    }

    /** Newer events may have displaced the one of the failure. */
    @Test
    void anOutageWhoseEventIsNotKeptIsShownToo() throws Exception {
        assertThat(said("{ connectFailuresInARow: 3 }"))
                .isEqualTo("bad|The database refuses connections or cannot be reached.|");
    }

    @Test
    void connectsThatFailedInTheLastMinuteAreNamed() throws Exception {
        assertThat(said("{ statistics: { total: { counters: { connectFailures: 2 }, acquisition },"
                        + " recent: { counters: { timeouts: 1, connectFailures: 2 }, acquisition } } }"))
                .isEqualTo("wait|1 request timed out, 2 connects failed in the last minute.|No request is waiting.");
    }

    /** On a phone the report is below the first screen. */
    @Test
    void theCauseOfAFailureOfTheLastMinuteAndItsBlockerAreNamed() throws Exception {
        String report =
                "lastTimeout: { timeEpochMillis: %d, causeInWords: 'holders wait', text: 'orders: x\\n  cause    y"
                        + "\\n  holders  1 x Shop.pay(Shop.java:7)  10 ms  blocks others, idle  in worker-1' }";
        assertThat(said("{ " + String.format(Locale.ROOT, report, 1) + " }"))
                .isEqualTo("calm|No request is waiting.|Cause: holders wait. Blocker: 1 x Shop.pay(Shop.java:7), 10 ms,"
                        + " blocks others, idle, in worker-1. ".stripTrailing());
        assertThat(said("{ " + String.format(Locale.ROOT, report, -60_000) + " }"))
                .isEqualTo("calm|No request is waiting.|");
    }

    /** Leases stay blocked when the requests that failed because of them have gone. */
    @Test
    void aLeaseThatBlocksOthersIsNamedAsLongAsItDoes() throws Exception {
        String lease = "{ thread: '%s', inServer: { session: %d, blockedBy: [%s], words: '%s' }, callSite: %s }";
        String holders = "holders: ["
                + String.format(Locale.ROOT, lease, "w-2", 12, "11", "running", "undefined") + ", "
                + String.format(Locale.ROOT, lease, "w-3", 13, "12", "running", "undefined") + ", "
                + String.format(Locale.ROOT, lease, "w-1", 11, "", "idle in transaction", "'Shop.pay(Shop.java:7)'")
                + "]";
        String blocker = "Blocker: Shop.pay(Shop.java:7), blocks 2, session 11, idle in transaction, in w-1.";
        assertThat(said("{ " + holders + " }")).isEqualTo("wait|2 leases wait for a lock of another lease.|" + blocker);
        assertThat(said("{ " + holders + ", lastTimeout: { timeEpochMillis: 1, causeInWords: 'holders wait', text:"
                        + " 'orders: x\\n  holders  1 x Shop.was(Shop.java:8)  10 ms  blocks others, idle' } }"))
                .endsWith("|Cause: holders wait. " + blocker);
    }

    @Test
    void aClosedPoolIsBad() throws Exception {
        assertThat(said("{ phase: 'closed' }")).isEqualTo("bad|The pool is closed: every request is refused.|");
    }
}
