// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.config.CircuitBreaker;
import io.flexpool.internal.config.ConfigReader;
import io.flexpool.internal.config.ConfigSource;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.FailFast;
import io.flexpool.internal.config.GrowOnWait;
import io.flexpool.internal.config.RetryAcquisition;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.shared.Words;
import io.flexpool.monitoring.ConfigKey;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** Properties: what is read, and how what is wrong is refused. */
class ConfigurationTest {
    private static final Duration POOL_TIMEOUT = Duration.ofMillis(200);

    private static FlexPoolBuilder wrap(FakePool fake) {
        fake.max = 10;
        return FlexPool.wrap(fake.dataSource).name("p").adapter(fake);
    }

    private static Arguments bad(String properties, String message) {
        return Arguments.of(properties, message);
    }

    static Stream<Arguments> badProperties() {
        return Stream.of(
                // sizes
                bad("base=0", "flexpool.base = 0: must be from 1 to 10000"),
                bad("base=-1", "flexpool.base = -1: must be from 1 to 10000"),
                bad("base=10001", "flexpool.base = 10001: must be from 1 to 10000"),
                bad("base=ten", "flexpool.base = ten: must be a whole number from 1 to 10000"),
                bad("base=1.5", "flexpool.base = 1.5: must be a whole number"),
                bad("base=\u0663", "flexpool.base = \u0663: must be a whole number"),
                bad("base=\uff13", "flexpool.base = \uff13: must be a whole number"),
                bad("acquisition-timeout=\u0663s", "flexpool.acquisition-timeout = \u0663s: must be a duration"),
                bad("mode=adapt", "flexpool.ceiling = none: is required by mode = adapt"),
                bad("mode=adapt", "is required by mode = adapt (file /"),
                bad("classes.shed=true", "flexpool.classes.shed = true: needs flexpool.classes, the names"),
                bad("base=", "flexpool.base = : must be a whole number"),
                bad("base=99999999999", "flexpool.base = 99999999999: must be a whole number"),
                bad("base=0x10", "flexpool.base = 0x10: must be a whole number"),
                bad("base=1_000", "flexpool.base = 1_000: must be a whole number"),
                bad("base=5 connections", "flexpool.base = 5 connections: must be a whole number"),
                bad("base=30\nflexpool.ceiling=20", "flexpool.ceiling = 20: must not be below the base, 30"),
                bad("ceiling=1", "flexpool.ceiling = 1: must be from 2 to 10000"),
                bad("ceiling=0", "flexpool.ceiling = 0: must be from 2 to 10000"),
                bad("ceiling=-5", "flexpool.ceiling = -5: must be from 2 to 10000"),
                bad("ceiling=10001", "ceiling = 10001"),
                bad("ceiling=many", "flexpool.ceiling = many: must be a whole number"),
                bad("ceiling=5", "flexpool.ceiling = 5: must not be below the base, 10"),
                bad("fail-fast.max-pending=-1", "flexpool.fail-fast.max-pending = -1: must be from 0 to 100000"),
                bad(
                        "fail-fast.max-pending=100001",
                        "flexpool.fail-fast.max-pending = 100001: must be from 0 to 100000"),
                bad("fail-fast.max-pending=none", "flexpool.fail-fast.max-pending = none: must be a whole number"),
                bad("circuit-breaker.failures=0", "flexpool.circuit-breaker.failures = 0: must be from 1 to 1000"),
                bad(
                        "circuit-breaker.failures=1001",
                        "flexpool.circuit-breaker.failures = 1001: must be from 1 to 1000"),
                bad("call-sites.sample-every=-1", "flexpool.call-sites.sample-every = -1: must be from 0 to 1000000"),
                bad("call-sites.sample-every=1000001", "flexpool.call-sites.sample-every = 1000001: must be from 0 to"),
                bad("call-sites.sample-every=few", "flexpool.call-sites.sample-every = few: must be a whole number"),
                // words
                bad("call-sites.application=a,,b", "flexpool.call-sites.application = a,,b: must be a list"),
                bad("call-sites.ignore=a.,,b.", "flexpool.call-sites.ignore = a.,,b.: must be a list"),
                // These would match no class.
                bad("call-sites.application=com.acme.*", "flexpool.call-sites.application = com.acme.*: must be names"),
                bad("call-sites.application=com/acme", "flexpool.call-sites.application = com/acme: must be names of"),
                bad("call-sites.ignore=a.,5 sec", "flexpool.call-sites.ignore = 5 sec: must be prefixes of class"),
                bad("nested=refuse", "flexpool.nested = refuse: must be count or strict"),
                bad("statement-text=yes", "flexpool.statement-text = yes: must be true or false"),
                bad("time-in-database=1", "flexpool.time-in-database = 1: must be true or false"),
                // removed
                bad(
                        "leak.allow-short=true",
                        "flexpool.leak.allow-short = true: no such key; a short flexpool.leak.threshold is allowed"),
                bad("sizing.min=3", "flexpool.sizing.min = 3: no such key; it is 2, or the base if that is less"),
                bad("warm-up.within=5s", "flexpool.warm-up.within = 5s: no such key; it is 30 s"),
                bad("pools.p.warm-up.within=5s", "flexpool.pools.p.warm-up.within = 5s: no such key; it is 30 s"),
                // leaks
                bad("leak.threshold=0s", "flexpool.leak.threshold = 0s: must be from PT0.1S to P1D"),
                bad("leak.threshold=25h", "flexpool.leak.threshold = 25h: must be from PT0.1S to P1D"),
                bad(
                        "leak.reclaim-after=5m",
                        "flexpool.leak.reclaim-after = 5m: no such key; use flexpool.lease.max with"
                                + " flexpool.lease.action = cancel, of io.flexpool:flexpool-session"),
                bad(
                        "pools.p.leak.reclaim-after=5m",
                        "flexpool.pools.p.leak.reclaim-after = 5m: no such key; use flexpool.lease.max"),
                bad(
                        "lease.max=30s",
                        "flexpool.lease.max = 30s: needs the module io.flexpool:flexpool-session on the class path"),
                bad(
                        "lease.action=cancel",
                        "flexpool.lease.action = cancel: needs the module io.flexpool:flexpool-session on"),
                // durations
                bad("acquisition-timeout=0s", "flexpool.acquisition-timeout = 0s: must be from PT0.001S to PT1H"),
                bad("acquisition-timeout=-5s", "flexpool.acquisition-timeout = -5s: must be a duration"),
                bad("acquisition-timeout=PT-5S", "flexpool.acquisition-timeout = PT-5S: must be from PT0.001S to PT1H"),
                bad("acquisition-timeout=2h", "flexpool.acquisition-timeout = 2h: must be from PT0.001S to PT1H"),
                bad("acquisition-timeout=5", "flexpool.acquisition-timeout = 5: must be a duration like 250ms"),
                bad("acquisition-timeout=5 minutes", "flexpool.acquisition-timeout = 5 minutes: must be a duration"),
                bad("acquisition-timeout=5min", "flexpool.acquisition-timeout = 5min: must be a duration"),
                bad("acquisition-timeout=1.5s", "flexpool.acquisition-timeout = 1.5s: must be a duration"),
                bad("acquisition-timeout=soon", "flexpool.acquisition-timeout = soon: must be a duration"),
                bad("acquisition-timeout=", "flexpool.acquisition-timeout = : must be a duration"),
                bad("acquisition-timeout=99999999999999d", "flexpool.acquisition-timeout = 99999999999999d: must be"),
                bad("acquisition-timeout=PT9999999999H", "flexpool.acquisition-timeout = PT9999999999H: must be"),
                bad("slow-acquisition=0ms", "flexpool.slow-acquisition = 0ms: must be above PT0S and at most P1D"),
                bad("slow-acquisition=2d", "flexpool.slow-acquisition = 2d: must be above PT0S"),
                bad("long-lease=PT0S", "flexpool.long-lease = PT0S: must be above PT0S"),
                bad("long-lease=400d", "flexpool.long-lease = 400d: must be above PT0S and at most P1D"),
                bad("long-lease=forever", "flexpool.long-lease = forever: must be a duration"),
                bad(
                        "ceiling=20\nflexpool.grow-on-wait.enabled=true\nflexpool.grow-on-wait.after=200ms",
                        "flexpool.grow-on-wait.after = 200ms: must be shorter than the acquisition timeout, PT0.2S"),
                bad(
                        "ceiling=20\nflexpool.grow-on-wait.enabled=true\nflexpool.grow-on-wait.after=11m",
                        "flexpool.grow-on-wait.after = 11m: must be from PT0S to PT10M"),
                bad(
                        "ceiling=20\nflexpool.grow-on-wait.enabled=true\nflexpool.grow-on-wait.keep=11m",
                        "flexpool.grow-on-wait.keep = 11m: must be from PT0S to PT10M"),
                bad("grow-on-wait.keep=soon", "flexpool.grow-on-wait.keep = soon: must be a duration"),
                bad(
                        "retry.deadline=200ms",
                        "flexpool.retry.deadline = 200ms: must be longer than the acquisition timeout, PT0.2S"),
                bad("retry.deadline=2h", "flexpool.retry.deadline = 2h: must be above PT0S"),
                // switches
                bad("enabled=maybe", "flexpool.enabled = maybe: must be true or false"),
                bad("enabled=TRUE", "flexpool.enabled = TRUE: must be true or false"),
                bad("enabled=1", "flexpool.enabled = 1: must be true or false"),
                bad("enabled=", "flexpool.enabled = : must be true or false"),
                bad("metrics=fake\nflexpool.metrics.fake.jmx=maybe", "flexpool.metrics.fake.jmx = maybe: must be true"),
                // half a thing
                bad("grow-on-wait.after=10ms", "needs flexpool.grow-on-wait.enabled too, which must be true"),
                bad(
                        "grow-on-wait.keep=500ms",
                        "flexpool.grow-on-wait.keep = 500ms: needs flexpool.grow-on-wait.enabled too"),
                bad("metrics.fake.jmx=true", "flexpool.metrics.fake.jmx = true: only has an effect if"),
                // keys
                bad("bsae=5", "flexpool.bsae = 5: no such key; the nearest is flexpool.base"),
                bad("Base=5", "flexpool.Base = 5: no such key; the nearest is flexpool.base"),
                bad("aquisition-timeout=5s", "no such key; the nearest is flexpool.acquisition-timeout"),
                bad("acquisitionTimeout=5s", "no such key; the nearest is flexpool.acquisition-timeout"),
                bad(
                        "grow-on-wait.ceiling=25",
                        "flexpool.grow-on-wait.ceiling = 25: no such key; a pool has one ceiling: use"
                                + " flexpool.ceiling"),
                bad("pools.p.grow-on-wait.ceiling=25", "use flexpool.ceiling, with flexpool.grow-on-wait.enabled"),
                bad("grow-on-wait.enabled=true", "flexpool.grow-on-wait.enabled = true: needs flexpool.ceiling too"),
                bad(
                        "mode=observe",
                        "flexpool.mode = observe: must be monitor, recommend or adapt; observe is now recommend"),
                bad("mode=ADAPT", "flexpool.mode = ADAPT: must be monitor, recommend or adapt"),
                bad("grow.ceiling=25", "flexpool.grow.ceiling = 25: no such key"),
                bad("retry.deadlin=3s", "no such key; the nearest is flexpool.retry.deadline"),
                bad("metrics.fake.jmxx=true", "no such key; the nearest is flexpool.metrics.fake.jmx"),
                bad("pools.p.bsae=5", "flexpool.pools.p.bsae = 5: no such key"),
                bad("pools.other.base=x", "flexpool.pools.other.base = x: must be a whole number"),
                bad("pools.p.name=q", "flexpool.pools.p.name = q: no such key"),
                bad("=5", "flexpool. = 5: no such key"),
                bad("base=5\nbase=6", "base = 6: no such key; the nearest is flexpool.base"),
                bad("base=5\nflexpol.long-lease=6s", "flexpol.long-lease = 6s: no such key"),
                bad("base=5\nflexpool.base=6", "the key flexpool.base is given twice"),
                bad("name=\\u00zz", "cannot be read: java.io.IOException: malformed"),
                // names and classes
                bad("name=", "name = '': must be 1 to 100 characters"),
                bad("name=a\\u0007b\nflexpool.base=0", "flexpool.base = 0: must be"),
                // placeholders
                bad("name=${POOL}", "flexpool.name = ${POOL}: the placeholder is not resolved (file "),
                bad("name=a ${POOL:b} c", "flexpool.name = ${POOL}: the placeholder is not resolved"),
                bad("listeners=${A}", "p: flexpool.listeners = ${A}: the placeholder is not resolved"),
                bad("base=${A}", "p: flexpool.base = ${A}: must be a whole number"),
                bad(
                        "classes=a,b\nflexpool.acquisition-timeout=1s\nflexpool.classes.b.threads=x-*,${T}",
                        "p: flexpool.classes.b.threads = ${T}: the placeholder is not resolved"),
                bad("name=a\\u0007b", "name = 'a?b': must be 1 to 100 characters"),
                bad("name=" + "x".repeat(101), "must be 1 to 100 characters"),
                bad("listeners=com.example.Missing", "flexpool.listeners = com.example.Missing: no such class"),
                bad("listeners=java.lang.String", "java.lang.String: must implement io.flexpool.event.PoolListener"),
                bad("listeners=io.flexpool.event.PoolListener", "must be a public class with a public constructor"),
                bad("listeners=" + Hidden.class.getName(), "must be a public class with a public constructor"),
                bad("listeners=" + Throwing.class.getName(), "could not be made"),
                bad(
                        "listeners=,",
                        "flexpool.listeners = ,: must be a list without empty or repeated elements, of names of classes"),
                bad("listeners=", "flexpool.listeners = : must be a list"),
                bad("metrics=graphite", "flexpool.metrics = graphite: must be one of fake"),
                bad(
                        "metrics=fake,fake",
                        "flexpool.metrics = fake,fake: must be a list without empty or repeated elements"),
                bad(
                        "metrics=fake,",
                        "flexpool.metrics = fake,: must be a list without empty or repeated elements, of names"),
                // JNDI, beside a data source
                bad("data-source.jndi-name=java:comp/x", "must not be set together with a data source"));
    }

    /** Cannot be made: not public. */
    static final class Hidden implements PoolListener {
        private Hidden() {}

        @Override
        public void onEvent(PoolEvent event) {}
    }

    /** Cannot be made: throws. */
    public static final class Throwing implements PoolListener {
        /** Throws. */
        public Throwing() {
            throw new IllegalStateException("constructor");
        }

        @Override
        public void onEvent(PoolEvent event) {}
    }

    @ParameterizedTest
    @MethodSource("badProperties")
    void badPropertiesAreRefusedByNameAndThePoolIsUntouched(String properties, String message, @TempDir Path directory)
            throws IOException {
        Path file = Files.writeString(directory.resolve("flexpool.properties"), "flexpool." + properties);
        FakePool fake = new FakePool();
        FlexPoolBuilder builder = wrap(fake).properties(file);
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
        assertThat(fake.max).isEqualTo(10);
        wrap(fake).build().close();
    }

    @Test
    void theTableOfBadInputIsLongEnough() {
        assertThat(badProperties().count()).isGreaterThanOrEqualTo(60);
    }

    @ParameterizedTest
    @MethodSource("badJndiNames")
    void onlyLocalJndiNamesAreResolved(String name, String message) {
        FlexPoolBuilder builder =
                FlexPool.lookUp().name("p").properties(Map.of("flexpool.data-source.jndi-name", name));
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("data-source.jndi-name = " + name)
                .hasMessageContaining(message);
    }

    static Stream<Arguments> badJndiNames() {
        Stream<Arguments> remote = Stream.of(
                        "ldap://127.0.0.1:1389/a",
                        "ldaps://127.0.0.1/a",
                        "rmi://127.0.0.1/a",
                        "iiop://127.0.0.1/a",
                        "dns://127.0.0.1/a",
                        "LDAP://127.0.0.1/a",
                        "corbaname:iiop:127.0.0.1",
                        "http://127.0.0.1/a",
                        "")
                .map(name -> Arguments.of(name, "remote lookups are refused"));
        return Stream.concat(
                remote,
                Stream.of(
                        Arguments.of("java:comp/env/jdbc/absent", "cannot be found"),
                        Arguments.of("jdbc/text", "must name a javax.sql.DataSource, not java.lang.String")));
    }

    /** Tomcat's exception for a missing driver was named "NamingException", and its cause stood four levels below. */
    @Test
    @Timeout(300) // a cycle of causes must end
    void theReasonOfAFailedLookupIsNamedWithoutItsPassword() {
        TestNaming.bound.put("jdbc/broken", new SQLException("No driver for jdbc:x://db?password=hunter2"));
        SQLException first = new SQLException("first");
        first.initCause(new SQLException("second", first));
        TestNaming.bound.put("jdbc/cycle", first);
        try {
            assertThatThrownBy(() -> FlexPool.lookUp()
                            .name("p")
                            .properties(Map.of("flexpool.data-source.jndi-name", "jdbc/cycle"))
                            .build())
                    .hasMessageContaining("cannot be found: java.sql.SQLException: ");
            assertThatThrownBy(() -> FlexPool.lookUp()
                            .name("p")
                            .properties(Map.of("flexpool.data-source.jndi-name", "jdbc/broken"))
                            .build())
                    .hasMessageContaining("cannot be found: java.sql.SQLException: No driver for jdbc:x://db")
                    .hasMessageNotContaining("hunter2");
        } finally {
            TestNaming.bound.remove("jdbc/broken");
            TestNaming.bound.remove("jdbc/cycle");
        }
    }

    @Test
    void withoutADataSourceOneMustBeNamed() {
        assertThatThrownBy(() -> FlexPool.lookUp().name("p").build())
                .hasMessageContaining("data-source.jndi-name = none: must be given, or use");
    }

    @Test
    void aLocalJndiNameIsResolved() throws Exception {
        FakePool fake = new FakePool();
        TestNaming.bound.put("jdbc/orders", fake.dataSource);
        try (FlexPoolDataSource pool = FlexPool.lookUp()
                .name("p")
                .adapter(fake)
                .properties(Map.of("flexpool.data-source.jndi-name", "jdbc/orders"))
                .build()) {
            pool.getConnection().close();
            assertThat(fake.calls).hasValue(1);
        } finally {
            TestNaming.bound.remove("jdbc/orders");
        }
    }

    @Test
    void allErrorsAreReportedAtOnce() {
        FlexPoolBuilder builder = wrap(new FakePool())
                .properties(Map.of("flexpool.bsae", "1", "flexpool.enabled", "maybe", "flexpool.long-lease", "x"));
        assertThatThrownBy(builder::build)
                .hasMessageContaining("flexpool.bsae = 1")
                .hasMessageContaining("flexpool.enabled = maybe")
                .hasMessageContaining("flexpool.long-lease = x")
                .hasMessageContaining("(the given map)");
    }

    /** Of seven mistakes in a file four were named once, and the others one round each, without their lines. */
    @Test
    void allMistakesOfAFileAreNamedTogetherEachWithItsLine(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("flexpool.properties"), """
            # keys
            flexpool.pools.p.bsae = 5
            spring.datasource.url = jdbc:h2:mem:orders

            flexpool.pools.other.ceilling = 7
            # values
            flexpool.long-lease = \\
                soon
            flexpool.base = 0
            flexpool.mode = adaptt
            # what belongs together
            flexpool.grow-on-wait.after = 10ms
            flexpool.leak.threshold = 25h
            flexpool.sizing.wait-target = 5s
            flexpool.listeners = com.acme.Missing
            flexpool.metrics = graphite
            flexpool.base = 5
            """);
        FlexPoolBuilder builder = wrap(new FakePool()).properties(file);
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .satisfies(thrown -> assertThat(
                                String.valueOf(thrown.getMessage()).lines())
                        .containsExactlyInAnyOrder(
                                refusal("pools.p.bsae = 5: no such key; the nearest is flexpool.pools.p.base", file, 2),
                                "p: spring.datasource.url = jdbc:h2:mem:orders: unknown key:"
                                        + " flexpool's keys begin with flexpool. (file " + file + ", line 3)",
                                refusal(
                                        "pools.other.ceilling = 7: no such key; the nearest is"
                                                + " flexpool.pools.other.ceiling",
                                        file,
                                        5),
                                refusal(
                                        "long-lease = soon: must be a duration like 250ms, 30s or PT5M, above PT0S and"
                                                + " at most P1D",
                                        file,
                                        7),
                                refusal("mode = adaptt: must be monitor, recommend or adapt", file, 10),
                                refusal(
                                        "grow-on-wait.after = 10ms: needs flexpool.grow-on-wait.enabled too, which must"
                                                + " be true",
                                        file,
                                        12),
                                refusal("leak.threshold = 25h: must be from PT0.1S to P1D", file, 13),
                                refusal(
                                        "sizing.wait-target = 5s: must be shorter than the acquisition timeout, PT0.2S",
                                        file,
                                        14),
                                refusal("listeners = com.acme.Missing: no such class on the class path", file, 15),
                                refusal(
                                        "metrics = graphite: must be one of fake, broken, slf4j, or a flexpool-metrics"
                                                + " module is missing",
                                        file,
                                        16),
                                refusal("base = 5: the key flexpool.base is given twice, first in line 9", file, 17)));
    }

    private static String refusal(String what, Path file, int line) {
        return "p: flexpool." + what + " (file " + file + ", line " + line + ")";
    }

    /** Who mistypes the ceiling need not read that growth lacks one. */
    @Test
    void whatFollowsFromAMistakeIsNotNamed() {
        assertThatThrownBy(wrap(new FakePool())
                        .properties(Map.of(
                                "flexpool.ceiling", "abc",
                                "flexpool.grow-on-wait.enabled", "true",
                                "flexpool.grow-on-wait.after", "1ms",
                                "flexpool.mode", "adapt",
                                "flexpool.acquisition-timeout", "0s",
                                "flexpool.sizing.wait-target", "9s",
                                "flexpool.retry.deadline", "no"))::build)
                .satisfies(
                        thrown -> assertThat(String.valueOf(thrown.getMessage()).lines())
                                .containsExactlyInAnyOrder(
                                        "p: flexpool.ceiling = abc: must be a whole number from 2 to 10000,"
                                                + " not below the base (the given map)",
                                        "p: flexpool.acquisition-timeout = 0s: must be from PT0.001S to"
                                                + " PT1H (the given map)",
                                        "p: flexpool.retry.deadline = no: must be a duration like 250ms, 30s"
                                                + " or PT5M, above PT0S and at most PT1H, longer than the acquisition"
                                                + " timeout (the given map)"));
    }

    /** {@code spring.datasource.url} was once answered with the key that has the most of its letters. */
    @ParameterizedTest
    @CsvSource({
        "spring.datasource.url, 'unknown key: flexpool''s keys begin with flexpool.'",
        "server.port, 'unknown key: flexpool''s keys begin with flexpool.'",
        "flexpool.completely.else, 'no such key ('",
        "long-leese, 'no such key; the nearest is flexpool.long-lease'",
        "flexpol.bsae, 'no such key; the nearest is flexpool.base'",
        "flexpool.pools.a.b.growonwait.after, 'no such key; the nearest is flexpool.pools.a.b.grow-on-wait.after'",
        "flexpool.pools.orders, 'no such key ('",
        "flexpool.pool.orders.base, 'no such key; the nearest is flexpool.pools.orders.base ('",
        "flexpool.Pools.orders.bsae, 'no such key; the nearest is flexpool.pools.orders.base ('",
        "pools.orders.base, 'no such key; the nearest is flexpool.pools.orders.base ('",
        "flexpool.orders.base, 'no such key; the nearest is flexpool.pools.orders.base ('",
        "flexpool.pools.base, 'no such key; the nearest is flexpool.pools.<name>.base ('",
        "flexpool.pool.base, 'no such key; the nearest is flexpool.pools.<name>.base ('",
        "flexpool.pools..base, 'no such key; the nearest is flexpool.pools.<name>.base ('",
        "flexpool.pools.*.base, 'no such key; the nearest is flexpool.pools.<name>.base ('",
        "'flexpool.pools.${POOL}.base', 'no such key; the nearest is flexpool.pools.<name>.base ('",
        "flexpool.retry.base, 'no such key ('",
        "flexpool.pool.name, 'no such key ('",
        "classes.batch.max, 'no such key; the nearest is flexpool.classes.batch.max ('",
        "flexpool.class.batch.maxx, 'no such key; the nearest is flexpool.classes.batch.max ('",
        "flexpool.classes.batch.max, 'no such key; flexpool.classes must name this class ('",
        "flexpool.pools.a.classes.batch.max, 'no such key; flexpool.classes must name this class ('",
        "' flexpool.base', 'no such key; the nearest is flexpool.base ('"
    })
    void anUnknownKeyIsAnsweredWithWhatWasProbablyMeant(String written, String answer) {
        assertThatThrownBy(wrap(new FakePool()).properties(Map.of(written, "1"))::build)
                .hasMessageContaining("p: " + written + " = 1: " + answer);
    }

    /** A hint on a class whose list is wrong would be one more message about the same mistake. */
    @Test
    void theKeysOfAClassAreKnownIfTheListOfClassesIsWrong() {
        assertThatThrownBy(wrap(new FakePool())
                        .properties(Map.of("flexpool.classes", "web,,batch", "flexpool.classes.batch.max", "3"))::build)
                .hasMessageStartingWith("p: flexpool.classes = web,,batch: must be a list")
                .satisfies(thrown ->
                        assertThat(String.valueOf(thrown.getMessage()).lines()).hasSize(1));
    }

    /** The whole text after {@code :} was shown, which may be a password. */
    @Test
    void ofAnUnresolvedPlaceholderOnlyTheNameIsShown() {
        assertThatThrownBy(
                        wrap(new FakePool()).properties(Map.of("flexpool.listeners", "x${LIST:canary-1}canary-2"))
                                ::build)
                .hasMessageContaining("flexpool.listeners = ${LIST}: the placeholder is not resolved")
                .satisfies(thrown -> assertThat(thrown.getMessage()).doesNotContain("canary"));
    }

    @Test
    void aPlaceholderIsNoNameFromCodeEither() {
        assertThatThrownBy(wrap(new FakePool()).name("${POOL}")::build)
                .hasMessage("name = '${POOL}': the placeholder is not resolved");
    }

    /** A test profile that disables flexpool need not have the variables of production. */
    @Test
    void aDisabledPoolAcceptsPlaceholders() {
        wrap(new FakePool())
                .properties(Map.of(
                        "flexpool.enabled", "false", "flexpool.classes", "a,b", "flexpool.classes.b.threads", "${T}"))
                .build()
                .close();
    }

    /** The message was "Input length = 1" for a file; for a resource other characters were read. */
    @Test
    void aFileThatIsNotInUtf8IsRefusedWithTheReason(@TempDir Path directory) throws IOException {
        String text = "# Größe\nflexpool.base = 5\n";
        for (Charset other : List.of(StandardCharsets.ISO_8859_1, StandardCharsets.UTF_16)) {
            Path file = Files.writeString(directory.resolve(other.name() + ".properties"), text, other);
            assertThatThrownBy(wrap(new FakePool()).properties(file)::build)
                    .hasMessage("p: the properties in file " + file
                            + " cannot be read: java.io.IOException: must be encoded in UTF-8");
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            try (URLClassLoader loader =
                    new URLClassLoader(new URL[] {directory.toUri().toURL()}, before)) {
                thread.setContextClassLoader(loader);
                assertThatThrownBy(wrap(new FakePool()).propertiesOnClassPath(other.name() + ".properties")::build)
                        .hasMessageContaining("cannot be read: java.io.IOException: must be encoded in UTF-8");
            } finally {
                thread.setContextClassLoader(before);
            }
        }
    }

    /** A section of {@code order} for the pool {@code orders} was once ignored without a word. */
    @Test
    void aSectionForAPoolWhoseNameIsNearlyThisOneIsReported() {
        Map<String, String> order = Map.of("flexpool.pools.order.base", "3");
        assertThat(warnings(wrap(new FakePool()).name("orders").properties(order)))
                .containsExactly(
                        "orders: Ignoring flexpool.pools.order.base = 3 (the given map): no pool named 'order'. Did you"
                                + " mean 'orders'?");
        assertThat(warnings(wrap(new FakePool()).name("reports").properties(order)))
                .as("of another name")
                .isEmpty();
        assertThat(warnings(wrap(new FakePool())
                        .name("orders")
                        .properties(order)
                        .properties(Map.of("flexpool.pools.orders.base", "3"))))
                .as("with a section of its own")
                .isEmpty();
        assertThat(warnings(wrap(new FakePool()).name("shard1").properties(Map.of("flexpool.pools.shard2.base", "3"))))
                .as("numbered")
                .isEmpty();
        try (FlexPoolDataSource open = wrap(new FakePool()).name("order").build()) {
            assertThat(warnings(wrap(new FakePool()).name("orders").properties(order)))
                    .as("while %s is open", open.name())
                    .isEmpty();
        }
    }

    private static List<String> warnings(FlexPoolBuilder builder) {
        ListAppender<ILoggingEvent> seen = new ListAppender<>();
        Logger log = (Logger) LoggerFactory.getLogger("io.flexpool");
        seen.start();
        log.addAppender(seen);
        try {
            builder.build().close();
        } finally {
            log.detachAppender(seen);
        }
        return seen.list.stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Test
    void noPasswordIsInARefusal() {
        Map<String, String> properties = new HashMap<>();
        properties.put("flexpool.password", "canary-1");
        properties.put("flexpool.data-source.passwd", "canary-2");
        properties.put("flexpool.nmae", "jdbc:x://u:canary-3@h/d?password=canary-4&secret=canary-5");
        properties.put("flexpool.api-key", "canary-6");
        properties.put("flexpool.bsae", "jdbc:oracle:thin:scott/canary-7@//h:1521/s");
        properties.put("flexpool.bsaes", "jdbc:x://u:can@ary/canary-8@h/d");
        assertThatThrownBy(wrap(new FakePool()).properties(properties)::build)
                .hasMessageContaining("flexpool.password = ***")
                .satisfies(thrown -> assertThat(thrown.getMessage()).doesNotContain("canary"));
    }

    @Test
    void anAbsentFileIsRefusedByName(@TempDir Path directory) {
        Path absent = directory.resolve("absent.properties");
        assertThatThrownBy(wrap(new FakePool()).properties(absent)::build)
                .hasMessageContaining("the properties in file " + absent + " cannot be read")
                .hasMessageContaining("NoSuchFileException");
    }

    @Test
    void anAbsentResourceIsRefusedByName() {
        assertThatThrownBy(wrap(new FakePool()).propertiesOnClassPath("absent.properties")::build)
                .hasMessageContaining("class path resource absent.properties cannot be read: ")
                .hasMessageContaining("no such resource");
    }

    @Test
    void propertiesComeFromAMapAFileOrTheClassPath(@TempDir Path directory) throws IOException {
        Path file = Files.write(
                directory.resolve("flexpool.properties"),
                "# ü\nflexpool.name = größe\nflexpool.base = 3".getBytes(StandardCharsets.UTF_8));
        Properties old = new Properties();
        old.setProperty("flexpool.base", "3");
        assertThat(limit(wrap(new FakePool()).properties(file))).isEqualTo(3);
        assertThat(limit(wrap(new FakePool()).properties(old))).isEqualTo(3);
        assertThat(limit(wrap(new FakePool()).propertiesOnClassPath("io/flexpool/test-flexpool.properties")))
                .isEqualTo(4);
        try (FlexPoolDataSource pool = wrap(new FakePool()).properties(file).build()) {
            assertThat(pool.name()).isEqualTo("größe");
        }
    }

    private static int limit(FlexPoolBuilder builder) {
        try (FlexPoolDataSource pool = builder.build()) {
            return pool.state().limit();
        }
    }

    @Test
    void aLaterSourceHoldsBeforeAnEarlierOne() {
        assertThat(limit(wrap(new FakePool())
                        .properties(Map.of("flexpool.base", "3"))
                        .properties(Map.of("flexpool.base", "5"))))
                .isEqualTo(5);
    }

    @Test
    void aPoolsOwnKeyHoldsBeforeTheCommonOne() {
        Map<String, String> common = Map.of("flexpool.base", "3", "flexpool.pools.p.base", "4");
        assertThat(limit(wrap(new FakePool()).properties(common))).isEqualTo(4);
        assertThat(limit(wrap(new FakePool()).name("q").properties(common))).isEqualTo(3);
        assertThat(limit(wrap(new FakePool())
                        .name("a.b")
                        .properties(Map.of("flexpool.pools.a.b.base", "6", "flexpool.pools.a.base", "7"))))
                .as("a name may hold dots")
                .isEqualTo(6);
    }

    @Test
    void propertiesReplaceWhatCodeSaid() {
        assertThat(limit(wrap(new FakePool()).set("base", 2).properties(Map.of("flexpool.base", "3"))))
                .isEqualTo(3);
        try (FlexPoolDataSource pool = wrap(new FakePool())
                .set("ceiling", 50)
                .set("grow-on-wait.enabled", true)
                .properties(Map.of("flexpool.ceiling", "20"))
                .build()) {
            assertThat(pool.state().ceiling()).isEqualTo(20);
        }
    }

    @Test
    void theDefaultsOfPropertiesCount() {
        Properties defaults = new Properties();
        defaults.setProperty("flexpool.base", "3");
        assertThat(limit(wrap(new FakePool()).properties(new Properties(defaults))))
                .isEqualTo(3);
    }

    @Test
    void strategiesAreMadeInAnOrderThatMakesSense() {
        Settings settings = new Settings();
        settings.set(CoreKey.NAME, "p");
        new ConfigReader(settings)
                .read(List.of(ConfigSource.of(Map.of(
                        "flexpool.retry.deadline", "PT3S",
                        "flexpool.fail-fast.max-pending", "7",
                        "flexpool.ceiling", "20",
                        "flexpool.grow-on-wait.enabled", "true",
                        "flexpool.grow-on-wait.after", "0s",
                        "flexpool.grow-on-wait.keep", "500ms",
                        "flexpool.circuit-breaker.failures", "9"))));
        assertThat(settings.strategies)
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(
                        CircuitBreaker.after(9),
                        GrowOnWait.upTo(20).withAfter(Duration.ZERO).withKeep(Duration.ofMillis(500)),
                        FailFast.above(7),
                        RetryAcquisition.within(Duration.ofSeconds(3)).withConnectFailures());
    }

    @Test
    void durationsAreReadInBothWays() {
        assertThat(Words.duration("250ms")).isEqualTo(Duration.ofMillis(250));
        assertThat(Words.duration("7us")).isEqualTo(Duration.ofNanos(7_000));
        assertThat(Words.duration("7 ns")).isEqualTo(Duration.ofNanos(7));
        assertThat(Words.duration("30s")).isEqualTo(Duration.ofSeconds(30));
        assertThat(Words.duration("5m")).isEqualTo(Duration.ofMinutes(5));
        assertThat(Words.duration("2h")).isEqualTo(Duration.ofHours(2));
        assertThat(Words.duration("1d")).isEqualTo(Duration.ofDays(1));
        assertThat(Words.duration("PT1.5S")).isEqualTo(Duration.ofMillis(1500));
        assertThat(POOL_TIMEOUT).isEqualTo(Words.duration("pt0.2s"));
    }

    @Test
    void listenersAreMade() {
        Received.closed.set(0);
        wrap(new FakePool())
                .properties(Map.of("flexpool.listeners", Received.class.getName()))
                .build()
                .close();
        assertThat(Received.closed).hasValue(1);
    }

    @Test
    void backendsAreMade() {
        FlexPoolDataSource pool = wrap(new FakePool())
                .properties(Map.of(
                        "flexpool.metrics", "fake",
                        "flexpool.metrics.fake.jmx", "true",
                        "flexpool.metrics.fake.every", "7s"))
                .build();
        assertThat(FakeMetricsProvider.bound).containsExactly("p jmx=true every=PT7S");
        pool.close();
        assertThat(FakeMetricsProvider.bound).isEmpty();
    }

    /** Its keys are read with every configuration: one that threw there once broke every build. */
    @Test
    void aBackendWithUnreadableKeysIsSkipped() throws SQLException {
        FakePool fake = new FakePool();
        BrokenMetricsProvider.broken.set(true);
        try {
            wrap(fake)
                    .properties(Map.of("flexpool.metrics", "fake", "flexpool.metrics.fake.every", "7s"))
                    .build()
                    .close();
            FlexPoolBuilder wanted = wrap(fake).properties(Map.of("flexpool.metrics", "broken"));
            assertThatThrownBy(wanted::build)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("flexpool.metrics = broken: must be one of fake");
        } finally {
            BrokenMetricsProvider.broken.remove();
        }
    }

    /** Made by its name. */
    public static final class Received implements PoolListener {
        private static final AtomicInteger closed = new AtomicInteger();

        /** Made by its name. */
        public Received() {}

        @Override
        public void onEvent(PoolEvent event) {}

        @Override
        public void onClosed(String pool) {
            closed.incrementAndGet();
        }
    }

    /** With {@code -Dflexpool.write} it writes the table. */
    @Test
    void everyKeyStandsInTheDocumentation() throws IOException {
        Path page = Path.of("../docs/reference/keys.md");
        String[] parts = Files.readString(page)
                .split(
                        "(?<=\\| what it does \\|\n\\|---\\|---\\|---\\|---\\|\n)" + "|(?=\\| `flexpool\\.metrics\\.)",
                        3);
        String expected = Stream.of(CoreKey.values())
                .map(CoreKey::key)
                .map(key -> "| `flexpool." + key.name() + "` | " + key.fallback() + " | " + key.allowed() + " | "
                        + key.meaning() + " |\n")
                .collect(Collectors.joining());
        if (Boolean.getBoolean("flexpool.write")) {
            Files.writeString(page, parts[0] + expected + parts[2]);
        } else {
            assertThat(parts[1]).isEqualTo(expected);
        }
    }

    @Test
    void frameworksCanReadTheTable() {
        assertThat(FlexPool.configurationKeys())
                .extracting(ConfigKey::name)
                .contains("base", "grow-on-wait.enabled", "metrics.fake.jmx")
                .doesNotHaveDuplicates();
    }
}
