// SPDX-License-Identifier: Apache-2.0
package io.flexpool.framework.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.monitoring.RequestClass;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/**
 * How each framework reads flexpool's keys: in any spelling, from files and environment variables, with refusals that name key, value,
 * rule and origin. The application has one data source, {@link #POOL}.
 */
public abstract class KeysContract {
    /** The one data source, with a hyphen, which variables do not have. */
    protected static final String POOL = "order-book";

    /** The keys of an application, as a framework has read them. */
    public interface Keys {
        /** {@return all refusals before a pool exists; empty if there are none} */
        String refusals();

        /** Passes the keys to the builder of {@link #POOL}. */
        void addTo(FlexPoolBuilder builder);
    }

    /**
     * Reads keys.
     *
     * @param file keys and values of the application's file
     * @param environment variables and values
     */
    protected abstract Keys read(Map<String, Object> file, Map<String, String> environment);

    /** {@return the name of the file in refusals} */
    protected abstract String file();

    /** {@return the prefix of keys in files} */
    protected String prefix() {
        return "flexpool.";
    }

    private String variable(String key) {
        return prefix().replace('.', '_').toUpperCase(Locale.ROOT) + key;
    }

    private String refusals(String key, Object value) {
        return read(Map.of(prefix() + key, value), Map.of()).refusals();
    }

    private FlexPoolDataSource pool(Map<String, Object> given, Map<String, String> environment) {
        Map<String, Object> file = new HashMap<>(given);
        file.put(prefix() + "acquisition-timeout", "1s");
        Keys keys = read(file, environment);
        assertThat(keys.refusals()).isEmpty();
        // No connection is requested.
        DataSource source = (DataSource) Proxy.newProxyInstance(
                KeysContract.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> null);
        FlexPoolBuilder builder = FlexPool.wrap(source).name(POOL);
        keys.addTo(builder);
        return builder.build();
    }

    @Test
    void noKeysAreFine() {
        assertThat(read(Map.of(), Map.of()).refusals()).isEmpty();
    }

    @Test
    void anUnknownKeyIsRefusedWithItsValueTheNearestKeyAndItsOrigin() {
        assertThat(refusals("bsae", "3"))
                .contains(prefix() + "bsae = 3")
                .contains(prefix() + "base")
                .contains(file());
    }

    @Test
    void aValueOfTheWrongTypeIsRefusedWithWhatIsAllowed() {
        assertThat(refusals("grow-on-wait.enabled", "many"))
                .contains(prefix() + "grow-on-wait.enabled = many")
                .contains("true or false")
                .contains(file());
    }

    @Test
    void anUnknownKeyOfAPoolIsRefused() {
        assertThat(refusals("pools." + POOL + ".bsae", "3"))
                .contains(prefix() + "pools." + POOL + ".bsae = 3")
                .contains("base");
    }

    @Test
    void theKeysThatNameOnePoolAreRefused() {
        assertThat(refusals("name", "orders")).contains(prefix() + "name = orders: pools");
        assertThat(refusals("data-source.jndi-name", "jdbc/orders"))
                .contains(prefix() + "data-source.jndi-name = jdbc/orders: pools are");
    }

    @Test
    void theValueOfASecretIsNotShown() {
        assertThat(refusals("password", "s3cret"))
                .contains(prefix() + "password = ***")
                .doesNotContain("s3cret");
    }

    @Test
    void aVariableThatIsNoKeyIsRefusedByItsName() {
        String variable = variable("BSAE");
        assertThat(read(Map.of(), Map.of(variable, "3")).refusals())
                .contains(variable)
                .contains(prefix() + "base");
    }

    @Test
    void aVariableTakesPrecedenceOverTheFile() {
        try (FlexPoolDataSource pool =
                pool(Map.of(prefix() + "base", "2", prefix() + "ceiling", "7"), Map.of(variable("CEILING"), "9"))) {
            assertThat(pool.state().base()).isEqualTo(2);
            assertThat(pool.state().ceiling()).isEqualTo(9);
        }
    }

    /** One of two spellings took precedence, by the order in which the source listed them. */
    @Test
    void twoSpellingsOfAKeyInOneSourceAreRefused() {
        for (String section : List.of("", "pools." + POOL + ".")) {
            String one = prefix() + section + "grow-on-wait.after";
            String other = prefix() + section + "growOnWait.after";
            assertThat(read(Map.of(one, "20ms", other, "30ms"), Map.of()).refusals())
                    .contains(one, other, ": the key is given twice, also as ", file());
            String upper = variable(section.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_"));
            assertThat(read(Map.of(), Map.of(upper + "GROW_ON_WAIT_AFTER", "20ms", upper + "GROWONWAIT_AFTER", "30ms"))
                            .refusals())
                    .contains(": the key is given twice, also as ");
        }
        String classes = prefix() + "classes";
        assertThat(read(
                                Map.of(
                                        classes, "web,night-batch",
                                        classes + ".night-batch.max", "2",
                                        classes + ".nightBatch.max", "3"),
                                Map.of())
                        .refusals())
                .contains(classes + ".night-batch.max", classes + ".nightBatch.max", ": the key is given twice, also as ");
    }

    /** A variable may spell a key in another way than the file. */
    @Test
    void twoSpellingsInTwoSourcesAreNoMistake() {
        assertThat(read(
                                Map.of(prefix() + "ceiling", "9", prefix() + "longLease", "20s"),
                                Map.of(variable("LONG_LEASE"), "30s"))
                        .refusals())
                .isEmpty();
    }

    @Test
    void theSectionOfAPoolTakesPrecedenceAndIsFoundInEachSpelling() {
        Map<String, Object> file = Map.of(
                prefix() + "base", "2",
                prefix() + "pools." + POOL + ".base", "4",
                prefix() + "grow-on-wait.enabled", "false");
        Map<String, String> environment = Map.of(
                variable("POOLS_ORDER_BOOK_CEILING"), "9",
                variable("POOLS_ORDER_BOOK_GROW_ON_WAIT_ENABLED"), "true");
        try (FlexPoolDataSource pool = pool(file, environment)) {
            assertThat(pool.state().base()).isEqualTo(4);
            assertThat(pool.state().ceiling()).isEqualTo(9);
            assertThat(pool.strategies()).hasSize(1);
        }
    }

    /** A variable has neither hyphens nor capitals: the key that lists the classes does. */
    @Test
    void aClassIsFoundInEachSpelling() {
        Map<String, Object> file = Map.of(
                prefix() + "base", "8",
                prefix() + "classes", "interactive,nightBatch,export-all",
                prefix() + "classes.export-all.guarantee", "0.25");
        Map<String, String> environment = Map.of(
                variable("CLASSES_NIGHTBATCH_GUARANTEE"), "0.125",
                variable("POOLS_ORDER_BOOK_CLASSES_EXPORT_ALL_GUARANTEE"), "0.5");
        try (FlexPoolDataSource pool = pool(file, environment)) {
            assertThat(pool.classes())
                    .extracting(RequestClass::name, RequestClass::guaranteed)
                    .containsExactly(tuple("interactive", 0), tuple("nightBatch", 1), tuple("export-all", 4));
        }
    }

    @Test
    void aKeyOfAnUnknownClassIsRefused() {
        assertThat(read(
                                Map.of(
                                        prefix() + "classes", "interactive,batch",
                                        prefix() + "classes.bacth.guarantee", "0.25"),
                                Map.of())
                        .refusals())
                .contains(prefix() + "classes.bacth.guarantee")
                .contains("batch");
    }

    /** For all pools and for one, from the file and from a variable. */
    @Test
    void eachKeyIsFoundInEachWay() {
        SoftAssertions each = new SoftAssertions();
        for (KeyValues values : KeyValues.ofPools()) {
            for (String section : List.of("", "pools." + POOL + ".")) {
                String key = section + values.key();
                String variable = variable(key.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_"));
                each.assertThat(refusals(key, values.accepted())).as(key).isEmpty();
                each.assertThat(read(Map.of(), Map.of(variable, values.accepted()))
                                .refusals())
                        .as(variable)
                        .isEmpty();
                each.assertThat(refused(Map.of(prefix() + key, values.refused()), Map.of()))
                        .as(key)
                        .contains(values.key() + " = " + values.refused() + ": ");
                each.assertThat(refused(Map.of(), Map.of(variable, values.refused())))
                        .as(variable)
                        .contains(" = " + values.refused() + ": ");
            }
        }
        each.assertAll();
    }

    /** When the keys are read, or when the pool is built. */
    private String refused(Map<String, Object> file, Map<String, String> environment) {
        String problems = read(file, environment).refusals();
        if (!problems.isEmpty()) {
            return problems;
        }
        try (FlexPoolDataSource built = pool(file, environment)) {
            return built.name() + " was built";
        } catch (IllegalArgumentException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    private static Map<String, String> removed() throws IOException {
        Map<String, String> removed = new TreeMap<>();
        ClassLoader loader = KeysContract.class.getClassLoader();
        for (URL list : Collections.list(loader.getResources("META-INF/io.flexpool/removed-keys.properties"))) {
            Properties keys = new Properties();
            try (InputStream in = list.openStream()) {
                keys.load(in);
            }
            keys.stringPropertyNames()
                    .forEach(key -> removed.put(key.replace("<name>", "batch"), keys.getProperty(key)));
        }
        return removed;
    }

    /** Without what names another key, whose prefix differs. */
    private static String instead(String replacement) {
        int key = replacement.indexOf("flexpool.");
        return "no such key; " + (key < 0 ? replacement : replacement.substring(0, key));
    }

    @Test
    void aRemovedKeyIsRefusedWithItsReplacement() throws IOException {
        assertThat(removed()).containsKeys("sizing.min", "retry.attempts");
        removed().forEach((key, replacement) -> {
            for (String section : List.of("", "pools." + POOL + ".")) {
                assertThat(refusals(section + key, "3"))
                        .contains(prefix() + section + key + " = 3: " + instead(replacement))
                        .contains(file());
                String variable = variable((section + key).toUpperCase(Locale.ROOT).replaceAll("[.-]", "_"));
                assertThat(read(Map.of(), Map.of(variable, "3")).refusals())
                        .contains(variable)
                        .contains(" = 3: " + instead(replacement));
            }
        });
    }
}
