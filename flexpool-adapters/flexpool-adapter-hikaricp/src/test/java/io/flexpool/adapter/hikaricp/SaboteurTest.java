// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedMethod;

import io.flexpool.adapter.tck.contract.PoolAdapterContract;
import io.flexpool.adapter.tck.faults.Crowd;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.NestedMethodSelector;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;

/**
 * Tests the contract: for every fault of an adapter one of its tests fails, by an assertion, and with a sound adapter
 * the same tests pass. They mostly wait, so several runs go on at once.
 */
class SaboteurTest {
    private static final int AT_ONCE = 12;

    private static final Map<Sabotage, Future<EngineExecutionResults>> RUNS = new EnumMap<>(Sabotage.class);
    /** With a sound adapter: a run for each test. */
    private static final List<Future<EngineExecutionResults>> SOUND = new ArrayList<>();

    /** One for each time that the class is run: a failed test is repeated in the same JVM. */
    private static ExecutorService runners;

    @BeforeAll
    static void begin() {
        // Of these tests it is expected that something never comes.
        System.setProperty(Crowd.PATIENCE, "15");
        runners = Executors.newFixedThreadPool(AT_ONCE);
        SOUND.clear();
        for (Sabotage sabotage : broken().toList()) {
            RUNS.put(sabotage, runners.submit(() -> run(sabotage, sabotage.noticedBy())));
        }
        broken().map(Sabotage::noticedBy)
                .distinct()
                .forEach(test -> SOUND.add(runners.submit(() -> run(Sabotage.NONE, test))));
    }

    @AfterAll
    static void end() {
        runners.shutdownNow();
        System.clearProperty(Crowd.PATIENCE);
    }

    private static EngineExecutionResults run(Sabotage sabotage, String test) {
        return EngineTestKit.engine("junit-jupiter")
                .configurationParameter(SabotagedHikari.SABOTAGE, sabotage.name())
                .selectors(test(test))
                .execute();
    }

    private static Stream<Sabotage> broken() {
        return Arrays.stream(Sabotage.values()).filter(sabotage -> sabotage != Sabotage.NONE);
    }

    private static NestedMethodSelector test(String name) {
        return Arrays.stream(PoolAdapterContract.class.getDeclaredClasses())
                .flatMap(part -> Arrays.stream(part.getSuperclass().getDeclaredMethods())
                        .filter(method -> method.getName().equals(name))
                        .map(method -> selectNestedMethod(List.of(SabotagedHikari.class), part, method)))
                .findAny()
                .orElseThrow(() -> new AssertionError("the contract has no test " + name));
    }

    private static Events tests(Future<EngineExecutionResults> run) throws Exception {
        EngineExecutionResults results = run.get();
        assertThat(results.containerEvents().failed().count()).isZero();
        return results.testEvents();
    }

    private static List<Throwable> thrown(Events tests) {
        return tests.failed().stream().map(SaboteurTest::thrown).toList();
    }

    private static Throwable thrown(Event failed) {
        return failed.getRequiredPayload(TestExecutionResult.class)
                .getThrowable()
                .orElseThrow();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aBrokenAdapterIsNoticed(Sabotage sabotage) throws Exception {
        Events tests = tests(Objects.requireNonNull(RUNS.get(sabotage)));
        assertThat(thrown(tests))
                .as("what %s threw", sabotage.noticedBy())
                .isNotEmpty()
                .allSatisfy(thrown -> assertThat(thrown).isInstanceOf(AssertionError.class));
    }

    @Test
    void withASoundAdapterTheSameTestsPass() throws Exception {
        assertThat(SOUND).isNotEmpty();
        for (Future<EngineExecutionResults> run : SOUND) {
            Events tests = tests(run);
            assertThat(thrown(tests)).isEmpty();
            assertThat(tests.succeeded().count()).isPositive();
        }
    }
}
