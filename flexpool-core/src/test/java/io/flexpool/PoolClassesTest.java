// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.flexpool.internal.config.ClassRule;
import io.flexpool.internal.config.ConfigReader;
import io.flexpool.internal.config.ConfigSource;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.pool.FakePool;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What code and properties say of the classes of a pool, and how what is wrong is refused. */
class PoolClassesTest {
    private static FlexPoolBuilder two(FlexPoolBuilder builder) {
        return builder.set("classes", List.of("interactive", "batch"))
                .set("classes.interactive.guarantee", 0.75)
                .set("classes.batch.guarantee", 0.25)
                .set("classes.batch.max", 8)
                .set("classes.batch.timeout", Duration.ofSeconds(20))
                .set("classes.batch.threads", List.of("quartz*"));
    }

    private static List<ClassRule> rules() {
        return List.of(
                ClassRule.named("interactive").withGuarantee(0.75),
                ClassRule.named("batch")
                        .withGuarantee(0.25)
                        .withMax(8)
                        .withTimeout(Duration.ofSeconds(20))
                        .withThreads(List.of("quartz*")));
    }

    private static FlexPoolBuilder wrap() {
        FakePool fake = new FakePool();
        return FlexPool.wrap(fake.dataSource).name("p").adapter(fake).set("base", 4);
    }

    private static List<ClassRule> read(Map<String, String> properties) {
        Settings settings = new Settings();
        settings.set(CoreKey.NAME, "p");
        new ConfigReader(settings).read(List.of(ConfigSource.of(properties)));
        settings.problems.throwIfAny();
        return settings.classes;
    }

    private static void refused(FlexPoolBuilder builder, String message) {
        assertThatIllegalArgumentException().isThrownBy(builder::build).withMessageContaining(message);
    }

    @Test
    void propertiesNameTheClassesAndTheirFigures() {
        List<ClassRule> read = read(Map.of(
                "flexpool.classes", "interactive, batch",
                "flexpool.classes.interactive.guarantee", "0.75",
                "flexpool.pools.p.classes.batch.guarantee", "0.25",
                "flexpool.classes.batch.max", "8",
                "flexpool.classes.batch.timeout", "20s",
                "flexpool.classes.batch.threads", "quartz*"));
        assertThat(read).usingRecursiveComparison().isEqualTo(rules());
    }

    @Test
    void propertiesReplaceSingleFiguresOfCode() {
        FlexPoolDataSource pool = two(wrap())
                .properties(Map.of("flexpool.classes.batch.max", "3"))
                .build();
        assertThat(pool.classes().get(0).guaranteed()).isEqualTo(3);
        assertThat(pool.classes().get(1).max()).hasValue(3);
        pool.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "flexpool.classes.batch.guarantee | 1.5 | must be a number from 0 to 1",
                "flexpool.classes.batch.guarantee | NaN | must be a number from 0 to 1",
                "flexpool.classes.batch.guarantee | 0x1p-1 | must be a number from 0 to 1",
                "flexpool.classes.batch.guarantee | 1e-1 | must be a number from 0 to 1",
                "flexpool.classes.batch.guarantee | 0.5d | must be a number from 0 to 1",
                "flexpool.classes.batch.guarantee | ٠.٥ | must be a number from 0 to 1",
                "flexpool.classes.batch.max | ٣ | must be a whole number from 1 to 10000",
                "flexpool.classes.batch.guarantee | most | must be a number from 0 to 1",
                "flexpool.classes.batch.guarantee | 0.3 | must be at most 1 summed over all classes, not 1.05",
                "flexpool.classes.batch.max | 0 | must be from 1 to 10000",
                "flexpool.classes.batch.max | many | must be a whole number from 1 to 10000",
                "flexpool.classes.batch.timeout | 2h | must be from PT0.001S to PT1H",
                "flexpool.classes.batch.threads | a,,b | must be a list",
                "flexpool.classes.btach.max | 8 | no such key; the nearest is flexpool.classes.batch.max",
                "flexpool.classes.batch.mxa | 8 | no such key; the nearest is flexpool.classes.batch.max",
                "flexpool.pools.p.classes.batch.mxa | 8 | no such key; the nearest is"
                        + " flexpool.pools.p.classes.batch.max",
                "flexpool.classes | a b | must be 1 to 8 names of classes",
                "flexpool.classes | a,b,c,d,e,f,g,h,i | must be at most 8 classes, not 9"
            })
    void aPropertyIsRefusedAsItWasWritten(String key, String value, String rule) {
        FlexPoolBuilder builder = two(wrap()).properties(Map.of(key, value));
        refused(builder, rule);
        refused(builder, "p: " + key + " = ");
    }

    @Test
    void aClassThatOnlyAnotherPoolHasIsRefusedInThisOnesSection() {
        FlexPoolBuilder builder = two(wrap())
                .properties(Map.of("flexpool.pools.other.classes", "bulk", "flexpool.pools.p.classes.bulk.max", "3"));
        refused(
                builder,
                "flexpool.pools.p.classes.bulk.max = 3: the pool has no such class; must be one of interactive, batch; the"
                        + " nearest is batch");
    }

    @Test
    void aClassOfAPoolWithoutAnyIsRefused() {
        refused(
                wrap().properties(Map.of(
                        "flexpool.pools.other.classes", "bulk", "flexpool.pools.p.classes.bulk.max", "3")),
                "flexpool.pools.p.classes.bulk.max = 3: the pool has no classes; set flexpool.classes (");
    }

    @ParameterizedTest
    @CsvSource({"most, max", "waits, timeout"})
    void aFormerNameIsRefusedWithTheName(String before, String now) {
        for (String section : List.of("flexpool.", "flexpool.pools.p.")) {
            String key = section + "classes.batch." + before;
            refused(
                    two(wrap()).properties(Map.of(key, "8")),
                    "p: " + key + " = 8: no such key; the name is " + now + " now");
        }
    }

    @Test
    void shedWithoutClassesIsRefused() {
        String rule = "classes.shed = true: needs flexpool.classes, the names of the request classes";
        refused(
                wrap().properties(Map.of("flexpool.classes.shed", "true")),
                "flexpool.classes.shed = true: needs flexpool.classes");
        refused(
                wrap().properties(Map.of(
                        "flexpool.pools.other.classes", "bulk", "flexpool.pools.p.classes.shed", "true")),
                "flexpool.pools." + "p." + rule);
        refused(wrap().set("classes.shed", true), rule);
        wrap().properties(Map.of("flexpool.classes.shed", "false")).build().close();
        two(wrap()).properties(Map.of("flexpool.classes.shed", "true")).build().close();
        wrap().properties(Map.of("flexpool.pools.other.classes", "bulk", "flexpool.classes.shed", "true"))
                .build()
                .close();
    }

    @Test
    void whatIsSaidOfAllPoolsIsForThoseThatHaveTheClass() {
        FlexPoolDataSource pool = wrap().properties(
                        Map.of("flexpool.pools.other.classes", "bulk", "flexpool.classes.bulk.max", "3"))
                .build();
        pool.close();
    }

    @Test
    void codeIsRefusedByItsKeyToo() {
        refused(
                wrap().set("classes", "a, b").set("classes.a.guarantee", 0.7).set("classes.b.guarantee", 0.4),
                "p: classes.b.guarantee = 0.4: must be at most 1 summed over all classes, not 1.1");
        refused(wrap().set("classes", "a").set("classes.a.max", 0), "p: classes.a.max = 0: must be from 1");
        refused(wrap().set("classes", "a, a"), "p: classes = a, a: must be a list without empty or repeated elements");
    }

    @Test
    void guaranteesOfAllThatThereIsAreNoSlip() {
        wrap().set("classes", "a,b,c")
                .set("classes.a.guarantee", 0.7)
                .set("classes.b.guarantee", 0.2)
                .set("classes.c.guarantee", 0.1)
                .build()
                .close();
    }

    @Test
    void classesMakeFlexpoolLimitThePool() {
        FakePool fake = new FakePool();
        FlexPoolDataSource pool =
                two(FlexPool.wrap(fake.dataSource).name("p").adapter(fake)).build();
        assertThat(pool.state().bound()).isTrue();
        pool.close();
    }
}
