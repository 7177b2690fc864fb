// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The subcommand {@code budget}. */
@Command(
        name = "budget",
        description =
                "Adds up what all instances of all applications may open, and compares it with what the database has.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it fits",
            "1:a file could not be read, or has a key or value that it must not have",
            "2:an option is wrong",
            "3:it does not fit"
        })
final class BudgetCommand implements Callable<Integer> {
    private static final int NOT_FITTING = 3;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "YAML: a budget (max, reserve, applications) or Kubernetes manifests.")
    private List<Path> files = List.of();

    @Option(
            names = "--max",
            paramLabel = "N",
            description = "How many connections the database has for these applications, instead of max in a budget.")
    private @Nullable Integer max;

    @Option(names = "--reserve", paramLabel = "N", description = "How many of them are kept free (default: 0).")
    private @Nullable Integer reserve;

    @Option(
            names = "--pool",
            paramLabel = "NAME=N",
            description = "How many connections one instance of an application opens at most, all its pools together.")
    private Map<String, Integer> pools = new LinkedHashMap<>();

    @Option(
            names = "--properties",
            paramLabel = "NAME=FILE",
            description = "An application's Spring properties, for flexpool.ceiling or HikariCP's maximum-pool-size.")
    private Map<String, Path> properties = new LinkedHashMap<>();

    @Override
    public Integer call() throws IOException {
        Map<String, Integer> sizes = new LinkedHashMap<>(pools);
        for (Map.Entry<String, Path> one : properties.entrySet()) {
            sizes.putIfAbsent(one.getKey(), sizeIn(one.getValue()));
        }
        BudgetFiles read = new BudgetFiles(sizes);
        for (Path file : files) {
            read.read(file);
        }
        Integer most = max == null ? read.max() : max;
        if (most == null) {
            throw new ParameterException(
                    Objects.requireNonNull(spec).commandLine(),
                    "--max must be given: no file says what the database has");
        }
        Integer kept = reserve == null ? read.reserve() : reserve;
        List<Budgeted> applications;
        try {
            applications = read.applications();
        } catch (IllegalArgumentException unknown) {
            throw new IOException(unknown.getMessage(), unknown);
        }
        return print(applications, most - (kept == null ? 0 : kept));
    }

    private static int sizeIn(Path file) throws IOException {
        Properties read = new Properties();
        try (Reader text = Files.newBufferedReader(file)) {
            read.load(text);
            Integer size = BudgetFiles.connections(read);
            if (size != null) {
                return size;
            }
        } catch (IllegalArgumentException broken) {
            throw new IOException(file + ": " + broken.getMessage(), broken);
        }
        throw new IOException(file + ": has neither flexpool.ceiling nor spring.datasource.hikari.maximum-pool-size");
    }

    private int print(List<Budgeted> applications, int room) {
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        long sum = 0;
        for (Budgeted one : applications) {
            sum += one.most();
            out.println(String.format(
                    Locale.ROOT,
                    "%-30s %5d instances %+4d in an update x %4d connections = %6d",
                    one.name(),
                    one.instances(),
                    one.surge(),
                    one.connections(),
                    one.most()));
        }
        boolean fits = sum <= room;
        out.println("All: " + sum + " of " + room + (fits ? ": it fits" : ": " + (sum - room) + " too many"));
        return fits ? 0 : NOT_FITTING;
    }
}
