// SPDX-License-Identifier: Apache-2.0
package io.flexpool.published;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPool;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.spi.PartKey;
import io.flexpool.spi.PoolPartProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The keys of flexpool's own parts: documented, and known to core's refusal of a key whose part is absent. */
class PartKeysTest {
    private static final Path PAGE = Path.of("..", "docs", "reference", "keys.md");
    private static final String HEAD =
            "| key | if not given | must be | what it does | artifact |\n|---|---|---|---|---|\n";

    private record Owned(PartKey<?> key, String artifact) {}

    private static List<Owned> keys() {
        List<Owned> all = new ArrayList<>();
        for (PoolPartProvider provider : ServiceLoader.load(PoolPartProvider.class)) {
            String artifact = artifact(provider);
            provider.keys().forEach(key -> all.add(new Owned(key, artifact)));
        }
        return all;
    }

    /** By the place that its class comes from: a jar, or the directory of a module. */
    private static String artifact(PoolPartProvider provider) {
        String place = provider.getClass()
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        Matcher name = Pattern.compile("(flexpool-[a-z0-9-]*[a-z])(?=/target/|-[0-9][^/]*\\.jar)")
                .matcher(place);
        assertThat(name.find()).as(place).isTrue();
        return name.group(1);
    }

    /** With {@code -Dflexpool.write} it writes the table. */
    @Test
    void everyKeyStandsInTheDocumentation() throws IOException {
        StringBuilder expected = new StringBuilder();
        for (Owned owned : keys()) {
            ConfigKey key = owned.key().key();
            expected.append("| `flexpool.").append(key.name()).append("`");
            expected.append(" | ").append(key.fallback()).append(" | ").append(key.allowed());
            expected.append(" | ")
                    .append(key.meaning())
                    .append(" | `")
                    .append(owned.artifact())
                    .append("` |\n");
        }
        assertThat(expected).isNotEmpty();
        String page = Files.readString(PAGE);
        int begin = page.indexOf(HEAD) + HEAD.length();
        int end = page.indexOf("\n\n", begin) + 1;
        assertThat(begin).isGreaterThan(HEAD.length());
        if (Boolean.getBoolean("flexpool.write")) {
            Files.writeString(PAGE, page.substring(0, begin) + expected + page.substring(end));
        } else {
            assertThat(page.substring(begin, end)).isEqualTo(expected.toString());
        }
    }

    @Test
    void coreKnowsTheArtifactOfEachKey() throws IOException {
        Properties artifacts = new Properties();
        try (InputStream list = FlexPool.class.getResourceAsStream("internal/config/part-artifacts.properties")) {
            artifacts.load(new StringReader(new String(list.readAllBytes(), StandardCharsets.UTF_8)));
        }
        for (Owned owned : keys()) {
            String group = owned.key().name().replaceAll("\\..*", "");
            assertThat(artifacts.getProperty(group)).as(owned.key().name()).isEqualTo(owned.artifact());
        }
        assertThat(artifacts.stringPropertyNames())
                .allMatch(
                        group -> keys().stream().anyMatch(owned -> (owned.key().name() + ".").startsWith(group + ".")));
    }
}
