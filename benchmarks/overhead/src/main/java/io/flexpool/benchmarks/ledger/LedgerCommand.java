// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.benchmarks.kit.OutputFile;
import io.flexpool.benchmarks.kit.Subcommand;
import io.flexpool.benchmarks.report.Picture;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The subcommand {@code ledger}. */
@Command(
        name = "ledger",
        description = "Keeps what overhead measured, one line for each commit, draws it, and fails if the last commit"
                + " is more than 15 %% above the median of the ten before it.")
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class LedgerCommand extends Subcommand {
    private static final String VARIANT = "flexpool-bound";
    private static final String BARE = "bare";

    @Option(
            names = "--csv",
            required = true,
            converter = OutputFile.Converter.class,
            paramLabel = "FILE",
            description = "The ledger. Made if it does not exist.")
    private OutputFile csv;

    @Option(
            names = "--result",
            paramLabel = "FILE",
            description = "What overhead wrote with --json. Without it nothing is added.")
    private @Nullable Path result;

    @Option(names = "--commit", paramLabel = "HASH", description = "The commit that was measured.")
    private @Nullable String commit;

    @Option(names = "--date", paramLabel = "DATE", description = "The commit's date, as in 2026-11-24.")
    private @Nullable String date;

    @Option(
            names = "--svg",
            converter = OutputFile.Converter.class,
            paramLabel = "FILE",
            description = "The picture of all lines.")
    private @Nullable OutputFile svg;

    /** Made by the command line parser. */
    public LedgerCommand() {}

    @Override
    public Integer call() throws Exception {
        Ledger ledger = ledger();
        if (result != null) {
            if (commit == null || date == null) {
                throw refused("--result needs --commit and --date");
            }
            ledger = ledger.with(line(result, commit, date));
            csv.text(ledger.csv());
        }
        if (svg != null) {
            svg.text(Picture.svg(ledger.graph()));
        }
        List<String> regressions = ledger.regressions();
        PrintWriter out = out();
        ledger.lines().stream().skip(Math.max(0, ledger.lines().size() - 1L)).forEach(line -> out.println(line.csv()));
        regressions.forEach(out::println);
        out.println(regressions.isEmpty() ? "nothing became dearer" : regressions.size() + " figures became dearer");
        out.flush();
        return regressions.isEmpty() ? 0 : 1;
    }

    private Ledger ledger() throws IOException {
        try {
            return Ledger.read(csv.path());
        } catch (IllegalArgumentException noLedger) {
            throw refused("--csv", csv.path(), String.valueOf(noLedger.getMessage()));
        }
    }

    /** The first group of the run: its first Java, under its first load. */
    private LedgerLine line(Path file, String measured, String day) throws IOException {
        JsonNode group =
                new ObjectMapper().readTree(file.toFile()).path("results").path(0);
        JsonNode flexpool = variant(file, group, VARIANT);
        double bareBytes = median(variant(file, group, BARE).path("bytes"));
        try {
            return new LedgerLine(
                    measured,
                    day,
                    group.path("java").asText(),
                    group.path("threads").asInt() + ":" + group.path("pool").asInt(),
                    group.path("jvms").size(),
                    median(flexpool.path("dNs")),
                    median(flexpool.path("inIdeals")),
                    median(flexpool.path("bytes")) - bareBytes);
        } catch (IllegalArgumentException bad) {
            throw refused("--result", file, String.valueOf(bad.getMessage()));
        }
    }

    private JsonNode variant(Path file, JsonNode group, String name) {
        return StreamSupport.stream(group.path("variants").spliterator(), false)
                .filter(one -> one.path("variant").asText().equals(name))
                .findFirst()
                .orElseThrow(() -> refused(
                        "--result",
                        file,
                        "must be a result of overhead with the variants " + BARE + " and " + VARIANT));
    }

    private static double median(JsonNode figures) {
        double[] sorted = StreamSupport.stream(figures.spliterator(), false)
                .mapToDouble(JsonNode::asDouble)
                .sorted()
                .toArray();
        return sorted.length == 0 ? Double.NaN : Ledger.median(sorted);
    }
}
