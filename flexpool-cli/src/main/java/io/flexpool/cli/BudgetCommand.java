// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The subcommand {@code budget}. */
@Command(
        name = "budget",
        description =
                "Adds up the connections of all instances of all applications, and compares the sum with the database's limit.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the sum fits",
            "1:a file could not be read, or a figure is missing",
            "2:an option is wrong",
            "3:the sum does not fit"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  flexpool budget deployment.yaml hpa.yaml --max 97 --reserve 3",
            "  helm template shop | flexpool budget - --max 97 --pool reporting=5"
        })
final class BudgetCommand implements Callable<Integer> {
    private static final int NOT_FITTING = 3;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description =
                    "YAML: a budget (max, reserve, applications) or Kubernetes manifests; - for the standard input.")
    private List<Path> files = List.of();

    @Option(
            names = "--max",
            paramLabel = "N",
            description = "How many connections the database has for these applications, instead of max in a budget.")
    private @Nullable Integer max;

    @Option(
            names = "--reserve",
            paramLabel = "N",
            description = "How many of these connections are kept free (default: 0).")
    private @Nullable Integer reserve;

    @Option(
            names = "--pool",
            paramLabel = "NAME=N",
            description = "How many connections one instance of an application opens at most, all its pools together.")
    private Map<String, Integer> pools = new LinkedHashMap<>();

    @Option(
            names = "--instances",
            paramLabel = "NAME=N",
            description =
                    "Maximum number of instances, if the manifest does not contain it, for example of a DaemonSet.")
    private Map<String, Integer> instances = new LinkedHashMap<>();

    @Option(
            names = "--properties",
            paramLabel = "NAME=FILE",
            description = "An application's properties or YAML, for the sizes of its pools. Its environment takes"
                    + " precedence.")
    private Map<String, Path> properties = new LinkedHashMap<>();

    @Option(
            names = "--server",
            paramLabel = "HOST",
            description = "The database server that is counted, if the applications use several.")
    private @Nullable String server;

    @Option(
            names = "--ignore-kind",
            paramLabel = "KIND",
            split = ",",
            description = "Kinds of manifests that open no connection and are not known to this program.")
    private Set<String> ignored = Set.of();

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Writes the answer as JSON; - for the standard output.")
    private @Nullable Path json;

    @Override
    public Integer call() throws IOException {
        Checks.onceEach(spec, "--pool", "--instances", "--properties");
        Checks.within(spec, "--max", max, 0, Figures.MOST);
        Checks.within(spec, "--reserve", reserve, 0, Figures.MOST);
        pools.forEach((name, size) -> Checks.within(spec, "--pool " + name, size, 0, Figures.MOST));
        instances.forEach((name, count) -> Checks.within(spec, "--instances " + name, count, 0, Figures.MOST));
        LogInput input = new LogInput(() -> System.in);
        BudgetFiles read = new BudgetFiles(input);
        for (Path file : files) {
            read.read(file);
        }
        if (read.isEmpty()) {
            throw new IOException(files.stream().map(LogInput::name).collect(Collectors.joining(", "))
                    + ": empty; give a budget file or Kubernetes manifests");
        }
        BudgetSum sum = new BudgetSum(read, pools, instances, AppFiles.of(properties, input), server, ignored);
        refuseUnknownNames(sum.names());
        Integer most = max == null ? read.max() : max;
        if (most == null) {
            throw Checks.wrong(spec, "--max must be given: no file has the database's maximum");
        }
        Integer kept = reserve == null ? read.reserve() : reserve;
        List<Budgeted> applications = sum.applications();
        long room = (long) most - (kept == null ? 0 : kept);
        long counted = applications.stream().mapToLong(Budgeted::most).sum();
        if (counted <= room && counted + sum.sidecars() > room) {
            throw new IOException(
                    "the " + counted + " connections of the applications fit into " + room + "; the sidecars may open "
                            + sum.sidecars() + " more, which would not fit: give --pool NAME=N with the number of"
                            + " connections that the sidecars open");
        }
        return print(applications, sum.notes(), room);
    }

    private picocli.CommandLine commandLine() {
        return Objects.requireNonNull(spec).commandLine();
    }

    /** Refuses unknown names: a misspelt one would leave an application without its size. */
    private void refuseUnknownNames(Set<String> names) {
        Set<String> given = new TreeSet<>(pools.keySet());
        given.addAll(properties.keySet());
        given.addAll(instances.keySet());
        for (String name : given) {
            if (!names.contains(name)) {
                throw Checks.wrong(
                        spec,
                        "no application '" + name + "' is in the files"
                                + Nearest.to(name, names, ", the nearest one is '", "'"));
            }
        }
    }

    private int print(List<Budgeted> applications, List<String> notes, long room) throws IOException {
        boolean standard = json != null && Output.isStandard(json);
        PrintWriter out = standard ? commandLine().getErr() : commandLine().getOut();
        long sum = 0;
        for (Budgeted one : applications) {
            sum += one.most();
            out.println(String.format(
                    Locale.ROOT,
                    "%-30s (%5d instances %+4d in an update %+4d terminating) x %4d connections = %6d",
                    Reasons.printable(one.name()),
                    one.instances(),
                    one.surge(),
                    one.terminating(),
                    one.connections(),
                    one.most()));
        }
        notes.forEach(note -> out.println(Reasons.printable(note)));
        boolean fits = sum <= room;
        out.println(
                "Total: " + sum + " of " + room + " connections: " + (fits ? "they fit" : sum - room + " too many"));
        if (json != null) {
            AdviceJson.write(new Output(json, commandLine().getOut()), applications, notes, room);
        }
        return fits ? 0 : NOT_FITTING;
    }

    /** The files of {@code --properties}. */
    private static final class AppFiles {
        private AppFiles() {}

        static Map<String, AppFile> of(Map<String, Path> properties, LogInput input) throws IOException {
            Map<String, AppFile> files = new LinkedHashMap<>();
            for (Map.Entry<String, Path> one : properties.entrySet()) {
                Path file = one.getValue();
                StringBuilder text = new StringBuilder();
                byte[] bytes = input.all(file);
                LogLines lines = new LogLines(new ByteArrayInputStream(bytes), bytes.length + 1);
                while (lines.next()) {
                    text.append(lines.text().stripTrailing()).append('\n');
                }
                Path last = file.getFileName();
                files.put(
                        one.getKey(),
                        AppFile.of(LogInput.name(file), last == null ? "" : last.toString(), text.toString()));
            }
            return files;
        }
    }

    /** Formats problems for a message. */
    static String listed(List<String> problems) {
        return new ArrayList<>(problems).stream().distinct().collect(Collectors.joining(System.lineSeparator() + "  "));
    }
}
