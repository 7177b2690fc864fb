// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.advisor.LeaseTrace.Ending;
import io.flexpool.advisor.TraceWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command of docs/how-to/choose-size.md prints the advice of the page. */
class SizePageTest {
    private static final Path PAGE = Path.of("..", "docs", "how-to", "choose-size.md");
    private static final String COMMAND = "java -jar flexpool-cli/target/flexpool.jar ";
    private static final long MS = 1_000_000;
    private static final int REQUESTS = 400_000;

    @TempDir
    private Path folder;

    @Test
    void theCommandOfThePagePrintsTheAdviceOfThePage() throws IOException {
        String page = Files.readString(PAGE);
        String command = block(page, "sh").strip();
        assertThat(command).startsWith(COMMAND);
        record(folder.resolve("orders.fpt"));

        StringWriter out = new StringWriter();
        int exit = FlexpoolCli.commandLine()
                .setOut(new PrintWriter(out, true))
                .execute(command.substring(COMMAND.length())
                        .replace("orders.fpt", folder.resolve("orders.fpt").toString())
                        .split(" "));

        assertThat(exit).isZero();
        if (Boolean.getBoolean("flexpool.write")) {
            Files.writeString(PAGE, page.replace(block(page, "text"), out.toString()));
        }
        assertThat(block(Files.readString(PAGE), "text")).isEqualTo(out.toString());
    }

    /** 100 requests a second with leases of 20 ms in the mean, for more than an hour. */
    private static void record(Path file) throws IOException {
        SplittableRandom random = new SplittableRandom(3);
        Map<String, String> header = Map.of("pool", "orders", "max", "30", "timeoutMillis", "2000");
        try (TraceWriter writer = new TraceWriter(file, header, 64 << 20, false)) {
            long at = 0;
            for (int request = 0; request < REQUESTS; request++) {
                at += (long) (-Math.log(1 - random.nextDouble()) * 10 * MS);
                long lease = (long) (-Math.log(1 - random.nextDouble()) * 20 * MS);
                writer.add(at, 0, lease, Ending.RELEASED, "shop.Orders.find", 0, false);
            }
        }
    }

    private static String block(String page, String language) {
        return Pattern.compile("(?s)```" + language + "\n(.*?)```")
                .matcher(page)
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
    }
}
