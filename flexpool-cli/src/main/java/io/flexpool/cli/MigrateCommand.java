// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The subcommand {@code migrate}. */
@Command(
        name = "migrate",
        description = "Translates FlexyPool's properties into flexpool's, and reports the result for each key.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:a file could not be read or written, or has a value that FlexyPool cannot read",
            "2:an option is wrong",
            "3:with --strict: a key is unknown or needs work by hand"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  flexpool migrate flexy-pool.properties --out flexpool.properties",
            "  flexpool migrate src/main/resources/application.yml --strict"
        })
final class MigrateCommand implements Callable<Integer> {
    private static final int WORK_LEFT = 3;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            arity = "1",
            paramLabel = "FILE",
            description =
                    "FlexyPool's file (usually flexy-pool.properties), or an application's properties or YAML with"
                            + " keys of its Spring Boot starter; - for the standard input.")
    private @Nullable Path file;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Writes flexpool's properties to this file instead of the standard output.")
    private @Nullable Path out;

    @Option(names = "--force", description = "Replaces the file of --out if it exists.")
    private boolean force;

    @Option(
            names = "--metrics",
            paramLabel = "MODULE",
            description = "FlexyPool's metrics module on the class path, if the file does not name one: dropwizard"
                    + " (default) or micrometer.")
    private @Nullable String metrics;

    @Option(names = "--strict", description = "Exit code 3 if a key is unknown or needs work by hand.")
    private boolean strict;

    @Override
    public Integer call() throws IOException {
        Path from = Objects.requireNonNull(file, "required");
        Migration.Backend backend = backend();
        Path to = out;
        if (to != null && Files.exists(to) && Files.exists(from) && Files.isSameFile(from, to)) {
            throw refused("--out", to.toString(), "a file other than the input");
        }
        Map<String, String> ofProfiles = new TreeMap<>();
        Properties properties = read(from, ofProfiles);
        if (!Migration.knows(properties) && ofProfiles.isEmpty()) {
            throw new IOException(
                    LogInput.name(from) + ": has no key of FlexyPool (flexy.pool.… or " + StarterRules.PREFIX + "…)");
        }
        Migration migration;
        try {
            migration = Migration.of(properties, backend);
        } catch (IllegalArgumentException | IOException malformed) {
            throw new IOException(LogInput.name(from) + ": " + malformed.getMessage(), malformed);
        }
        ofProfiles.forEach((key, profiles) -> migration.manual(
                key, "flexpool does not translate the profile " + profiles + ": move its keys into a separate file"));
        if (to == null) {
            spec().commandLine().getOut().print(migration.text());
            spec().commandLine().getOut().flush();
        } else {
            write(to, migration.text());
        }
        report(migration.findings());
        return strict && migration.leavesWork() ? WORK_LEFT : 0;
    }

    private Migration.@Nullable Backend backend() {
        if (metrics == null) {
            return null;
        }
        return switch (metrics) {
            case "dropwizard" -> Migration.Backend.DROPWIZARD;
            case "micrometer" -> Migration.Backend.MICROMETER;
            default -> throw refused("--metrics", metrics, "dropwizard or micrometer");
        };
    }

    /**
     * Reads the properties of a file.
     *
     * @param ofProfiles receives the keys of profile-specific documents, with their profiles
     */
    private static Properties read(Path from, Map<String, String> ofProfiles) throws IOException {
        String name = LogInput.name(from);
        byte[] bytes = new LogInput(() -> System.in).all(from);
        // Refuses a class file, jar or picture, which would parse as properties: any text is a key.
        for (byte each : bytes) {
            if (each == 0) {
                throw new IOException(name + ": not a text file");
            }
        }
        Path last = from.getFileName();
        String file = last == null ? "" : last.toString();
        String yaml = new String(bytes, StandardCharsets.UTF_8);
        boolean unnamed = from.equals(LogInput.STANDARD) && isYaml(yaml);
        // Properties in the encoding in which FlexyPool reads them.
        AppFile read = unnamed || file.endsWith(".yml") || file.endsWith(".yaml")
                ? AppFile.of(name, unnamed ? "-.yaml" : file, yaml)
                : AppFile.of(name, file, new String(bytes, StandardCharsets.ISO_8859_1));
        Properties properties = new Properties();
        for (Map<String, String> document : read.documents()) {
            List<String> profiles = ActiveProfiles.required(document);
            if (profiles.isEmpty()) {
                properties.putAll(document);
            } else {
                document.keySet().stream()
                        .filter(Migration::isFlexyPools)
                        .forEach(key -> ofProfiles.put(key, String.join(", ", profiles)));
            }
        }
        return properties;
    }

    /**
     * Whether the text is YAML. Properties are YAML too: one text (then they are properties), or maps with the same keys.
     */
    private static boolean isYaml(String text) {
        try {
            List<Object> documents = Yamls.all(text);
            return !documents.isEmpty() && documents.stream().allMatch(each -> each instanceof Map<?, ?>);
        } catch (IllegalArgumentException other) {
            return false;
        }
    }

    private void write(Path to, String text) throws IOException {
        OpenOption how = force ? StandardOpenOption.TRUNCATE_EXISTING : StandardOpenOption.CREATE_NEW;
        Path folder = to.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new IOException(to + ": there is no such folder");
        }
        try {
            Files.writeString(to, text, StandardOpenOption.CREATE, StandardOpenOption.WRITE, how);
        } catch (FileAlreadyExistsException exists) {
            throw new IOException(to + ": exists already; --force replaces it", exists);
        } catch (IOException failed) {
            throw new IOException(to + ": cannot be written: " + Reasons.why(failed), failed);
        }
    }

    /** Prints the report to the error output, because the standard output is a properties file. */
    private void report(List<Migration.Finding> findings) {
        PrintWriter err = spec().commandLine().getErr();
        for (Migration.Finding one : findings) {
            err.println(Reasons.printable(one.key() + ": " + one.outcome() + ": " + one.text()));
        }
        err.flush();
    }

    private ParameterException refused(String option, String value, String rule) {
        return Checks.refused(spec, option, value, rule);
    }

    private CommandSpec spec() {
        return Objects.requireNonNull(spec);
    }
}
