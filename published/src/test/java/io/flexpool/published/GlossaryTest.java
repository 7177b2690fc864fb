// SPDX-License-Identifier: Apache-2.0
package io.flexpool.published;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The glossary of the documentation is that of the root package's Javadoc. */
class GlossaryTest {
    private static final Path SOURCE =
            Reactor.ROOT.resolve("flexpool-core/src/main/java/io/flexpool/package-info.java");
    private static final Path PAGE = Reactor.ROOT.resolve("docs/reference/glossary.md");
    private static final String COMMAND = "mvn verify -pl published -am -Dtest=GlossaryTest -Dflexpool.write"
            + " -Dsurefire.failIfNoSpecifiedTests=false";

    private static final Pattern TERM = Pattern.compile("<dt>([^<]+)</dt>\\s*<dd>((?:(?!</dd>).)+)</dd>");

    private static String page() throws IOException {
        String javadoc = Files.readString(SOURCE).replaceAll("\\n \\* ?", " ");
        StringBuilder page = new StringBuilder("# Glossary\n\n| term | meaning |\n|---|---|\n");
        Set<String> terms = new HashSet<>();
        Matcher found = TERM.matcher(javadoc);
        while (found.find()) {
            assertThat(terms.add(found.group(1)))
                    .as("%s is defined once", found.group(1))
                    .isTrue();
            page.append("| ")
                    .append(found.group(1))
                    .append(" | ")
                    .append(found.group(2)
                            .trim()
                            .replaceAll("\\s+", " ")
                            .replaceAll("\\{@code ([^}]+)}", "`$1`")
                            .replaceAll("</?em>", "*"))
                    .append(" |\n");
        }
        assertThat(terms).hasSizeGreaterThan(30);
        return page.toString();
    }

    /** With {@code -Dflexpool.write} it writes the page. */
    @Test
    void thePageIsTheListOfTheRootPackage() throws IOException {
        if (Boolean.getBoolean("flexpool.write")) {
            Files.writeString(PAGE, page());
        }
        assertThat(Files.readString(PAGE))
                .as("docs/reference/glossary.md; %s writes it", COMMAND)
                .isEqualTo(page());
    }
}
