// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.cli.ProgramRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The answer as a page and as Markdown has what the terminal shows, and executes nothing of what was read. */
class DoctorPageTest {
    private static final Path FILES = Path.of("src/test/resources/doctor");
    private static final String HOSTILE = "<script>alert(1)</script>&\"'*_`[x](javascript:y)|$a$";

    @TempDir
    private Path folder;

    private static List<String> facts(String terminal) {
        return terminal.lines()
                .map(line -> line.startsWith("  ") ? line.substring(11) : line)
                .toList();
    }

    private static String unescaped(String html) {
        return html.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&amp;", "&");
    }

    private static String withoutBackslashes(String markdown) {
        return markdown.replaceAll("\\\\(.)", "$1");
    }

    @Test
    void eachFormHasTheSentencesOfTheTerminal() throws IOException {
        Path html = folder.resolve("doctor.html");
        Path markdown = folder.resolve("doctor.md");
        ProgramRun run = ProgramRun.of(
                "doctor",
                FILES.resolve("slow.txt.gz").toString(),
                FILES.resolve("sessions-other.csv").toString(),
                folder.resolve("none").toString(),
                "--html",
                html.toString(),
                "--markdown",
                markdown.toString());
        List<String> facts = facts(run.out());
        assertThat(facts).hasSizeGreaterThan(6);
        assertThat(unescaped(Files.readString(html))).contains(facts).contains("none: no such file");
        assertThat(withoutBackslashes(Files.readString(markdown)))
                .contains(facts)
                .contains("none: no such file");
        assertThat(Files.readString(markdown)).startsWith("""
            # HikariCP: 28 requests wait: holders wait for a lock of another session

            ## cause

            - 4 threads run a statement
            """);
        assertThat(run.code()).isEqualTo(1);
    }

    @Test
    void aPageNeedsNoOtherFileAndHasBothSchemes() throws IOException {
        ProgramRun run = ProgramRun.of("doctor", FILES.resolve("http.txt.gz").toString(), "--html", "-");
        assertThat(run.out())
                .startsWith("<!doctype html>\n")
                .endsWith("</html>\n")
                .contains("color-scheme: light dark", "prefers-color-scheme: dark")
                .contains("StagedShop.pay(StagedShop.java:")
                .doesNotContain("http:", "https:", "src=", "href=", "url(", "@import", "<script");
        assertThat(run.err()).startsWith("HikariCP: 28 requests wait: ");
    }

    @Test
    void whatWasReadIsTextInEachForm() throws IOException {
        String sessions = Files.readString(FILES.resolve("sessions-other.csv"));
        Path csv = Files.writeString(
                folder.resolve("sessions.csv"),
                sessions.replace("nightly-export", '"' + HOSTILE.replace("\"", "\"\"") + '"'));
        String dump = FILES.resolve("slow.txt.gz").toString();
        String html =
                ProgramRun.of("doctor", dump, csv.toString(), "--html", "-").out();
        assertThat(html).doesNotContain("<script").doesNotContain("&\"");
        assertThat(unescaped(html)).contains("application " + HOSTILE);
        String markdown =
                ProgramRun.of("doctor", dump, csv.toString(), "--markdown", "-").out();
        assertThat(markdown)
                .contains("\\<script\\>alert(1)\\</script\\>\\&\"'\\*\\_\\`\\[x\\](javascript:y)\\|\\$a\\$");
        assertThat(withoutBackslashes(markdown)).contains("application " + HOSTILE);
    }

    @Test
    void onlyOneFormMayBeTheStandardOutput() {
        ProgramRun run = ProgramRun.of("doctor", FILES.resolve("http.txt.gz").toString(), "--html", "-", "--json", "-");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("only one of them may be the standard output");
    }
}
