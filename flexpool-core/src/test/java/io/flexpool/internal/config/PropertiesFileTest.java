// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.internal.config.PropertiesFile.Entry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** The format of {@link Properties}, with lines. */
class PropertiesFileTest {
    private static List<Entry> read(String text) {
        try {
            return PropertiesFile.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void eachEntryHasTheNumberOfItsFirstLine() {
        assertThat(read("# one \\\na = 1\n\n  b : 2\\\n  3\\\n\n! c\\\r\nc 4\\\\\rd=\\\n#e"))
                .containsExactly(
                        new Entry("a", "1", 2),
                        new Entry("b", "23", 4),
                        new Entry("c", "4\\", 8),
                        new Entry("d", "#e", 9));
    }

    @Test
    void whatIsGivenTwiceIsThereTwice() {
        assertThat(read("a=1\na=2")).containsExactly(new Entry("a", "1", 1), new Entry("a", "2", 2));
    }

    @Test
    void aMalformedEntryIsNamedByItsLine() {
        assertThatThrownBy(() -> read("a=1\nb=\\u00zz")).hasMessageContaining(": malformed in line 2: ");
    }

    /** Whatever is read here, the JDK's own reading of the whole text is the same. */
    @Property(tries = 2_000)
    void itIsTheFormatOfProperties(@ForAll("texts") String text) throws IOException {
        Properties whole = new Properties();
        whole.load(new StringReader(text));
        Map<String, String> last = new LinkedHashMap<>();
        read(text).forEach(entry -> last.put(entry.key(), entry.value()));
        assertThat(last).isEqualTo(whole);
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of("a", "b", "=", ":", " ", "\t", "\f", "#", "!", "\\", "\\\n", "\n", "\r\n", "\r", "c=d\n")
                .list()
                .ofMaxSize(30)
                .map(parts -> parts.stream().collect(Collectors.joining()));
    }
}
