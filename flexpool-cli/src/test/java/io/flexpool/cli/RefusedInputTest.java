// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of another kind: a refusal names the file, the problem and the allowed input in one short line. */
class RefusedInputTest {
    private static final int LONGEST = 400;

    @TempDir
    private Path folder;

    private static Map<String, byte[]> files() {
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put("empty", new byte[0]);
        files.put("spaces", "  \n\n".getBytes(StandardCharsets.UTF_8));
        files.put("mark", "\ufeff".getBytes(StandardCharsets.UTF_8));
        files.put("wide", "some text\n".getBytes(StandardCharsets.UTF_16));
        files.put("latin", "gr\u00fc\u00dfe\n".getBytes(StandardCharsets.ISO_8859_1));
        files.put("cut.json", "{\"a\": [1, 2, {\"b\":".getBytes(StandardCharsets.UTF_8));
        files.put("other.json", "{\"a\": 1}".getBytes(StandardCharsets.UTF_8));
        files.put("semicolons.csv", "time;active\n1;2\n2;3\n".getBytes(StandardCharsets.UTF_8));
        files.put("tabs.csv", "time\tactive\n1\t2\n".getBytes(StandardCharsets.UTF_8));
        files.put("page.html", "<html><body>Log in</body></html>".getBytes(StandardCharsets.UTF_8));
        files.put("cut.jfr", Arrays.copyOf("FLR\0\0\2".getBytes(StandardCharsets.ISO_8859_1), 40));
        files.put("zeros", new byte[2_000]);
        files.put("one-line", "x".repeat(3_000_000).getBytes(StandardCharsets.UTF_8));
        return files;
    }

    private static ProgramRun run(String command, String file) {
        List<String> all = new ArrayList<>(List.of(command.split(" ")));
        all.add(file);
        return ProgramRun.of(all.toArray(new String[0]));
    }

    @ParameterizedTest
    @ValueSource(strings = {"advise", "advise --jfr", "advise --hikari-log", "budget", "doctor", "migrate"})
    @Timeout(300)
    void aFileOfAnotherKindIsRefusedInOneLine(String command) throws IOException {
        for (Map.Entry<String, byte[]> each : files().entrySet()) {
            Path file = Files.write(folder.resolve(each.getKey()), each.getValue());
            ProgramRun run = run(command, file.toString());
            assertThat(run.code()).as(each.getKey()).isEqualTo(1);
            assertThat(run.err().lines().count()).as(each.getKey()).isEqualTo(1);
            assertThat(run.err())
                    .as(each.getKey())
                    .contains(file + ": ")
                    .doesNotContain("Exception", "\tat ", "defect")
                    .hasSizeLessThan(LONGEST + file.toString().length());
        }
        assertThat(run(command, folder.toString()).err()).contains("a folder");
    }

    @ParameterizedTest
    @CsvSource({
        "budget, empty, give a budget file or Kubernetes manifests",
        "budget, other.json, the keys are applications",
        "budget, one-line, line 1: has a value of more than 2000000 characters",
        "advise, cut.jfr, a flight recording; read it with --jfr",
        "advise, other.json, recorded with flexpool.record",
        "advise --jfr, page.html, jcmd <pid> JFR.dump",
        "advise --hikari-log, tabs.csv, every 30 s at level DEBUG"
    })
    void aRefusalSaysWhatIsAllowed(String command, String name, String allowed) throws IOException {
        Path file = Files.write(folder.resolve(name), files().get(name));
        assertThat(run(command, file.toString()).err()).contains(allowed);
    }

    /** The whole value was in the message. */
    @Test
    void aLongValueIsShortened() throws IOException {
        Path file = Files.writeString(folder.resolve("long.yaml"), "max: " + "a b ".repeat(100_000));
        ProgramRun run = run("budget", file.toString());
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).hasSizeLessThan(LONGEST).contains("must be a whole number");
    }
}
