// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import io.flexpool.advice.SizeAdvice.Verdict;
import io.flexpool.advisor.Advice;
import io.flexpool.advisor.Advisor;
import io.flexpool.advisor.ClassLimits;
import io.flexpool.advisor.Question;
import io.flexpool.advisor.TraceFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The subcommand {@code advise}. */
@Command(
        name = "advise",
        description = "Recommends a pool size from recorded requests, and predicts the waits with other sizes.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:a file could not be read or written",
            "2:an option is wrong, or the source lacks the required data",
            "3:the condition of --assert is not met"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  flexpool advise --hikari-log app.log --pool orders",
            "  flexpool advise orders.fpt --also 4,8,12 --html advice.html"
        })
final class AdviseCommand implements Callable<Integer> {
    private static final int NOT_HELD = 3;
    private static final int CANNOT_SAY = 2;
    private static final int LARGEST_SIZE = 100_000;

    @Spec
    private @Nullable CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    private @Nullable Source source;

    /** The sources, exactly one of which must be given. */
    static final class Source {
        @Parameters(
                index = "0",
                arity = "1",
                paramLabel = "TRACE",
                description = "A file that flexpool.record has written.")
        private @Nullable Path trace;

        @Option(
                names = "--jfr",
                paramLabel = "FILE",
                description = "A flight recording of an application, with or without flexpool: its waits of 20 ms and"
                        + " longer, and, where methods were traced (doctor --jfr), all leases.")
        private @Nullable Path jfr;

        @Option(
                names = "--hikari-log",
                paramLabel = "FILE",
                arity = "1..*",
                description =
                        "Logs with lines of HikariCP: of timeouts, or of the level DEBUG; - for the standard input,"
                                + " also .gz.")
        private List<Path> hikariLogs = List.of();
    }

    @Option(
            names = "--pool",
            paramLabel = "NAME",
            description = "The pool, if the log has several; the kind of pool, if the recording has several.")
    private @Nullable String pool;

    @Option(
            names = "--size",
            paramLabel = "N",
            description = "Current size of the pool, 1 to 100,000 (default: the size in the source).")
    private @Nullable Integer size;

    @Option(
            names = "--wait-target",
            paramLabel = "DURATION",
            defaultValue = "10ms",
            converter = DurationConverter.class,
            description = "The wait that 99 %% of the requests must not exceed (default: ${DEFAULT-VALUE}).")
    private Duration waitTarget = Question.DEFAULT_TARGET;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "The acquisition timeout (default: the timeout in the trace, else 30s).")
    private @Nullable Duration timeout;

    @Option(
            names = "--knee",
            paramLabel = "N",
            description = "The number of connections above which the database's throughput does not rise, if known.")
    private @Nullable Integer knee;

    @Option(names = "--also", paramLabel = "N", split = ",", description = "Further sizes for the curve, as in 4,8,12.")
    private List<Integer> also = List.of();

    @Option(names = "--html", paramLabel = "FILE", description = "Writes an HTML page with the curve; needs a trace.")
    private @Nullable Path html;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Writes the advice as JSON; - for the standard output.")
    private @Nullable Path json;

    @Option(
            names = "--assert",
            paramLabel = "RULE",
            converter = Demanded.Converter.class,
            description = "For a build: exit code 3 unless the recommended size meets max<=N.")
    private @Nullable Demanded demanded;

    @Option(names = "--salvage", description = "Uses the intact beginning of a damaged trace.")
    private boolean salvage;

    @Override
    public Integer call() throws IOException {
        checkSizes();
        Source from = Objects.requireNonNull(source, "one of the group is required");
        return from.trace != null ? ofTrace(from.trace) : from.jfr != null ? ofJfr(from.jfr) : ofLogs(from.hikariLogs);
    }

    private void checkSizes() {
        Checks.within(spec, "--size", size, 1, LARGEST_SIZE);
        Checks.within(spec, "--knee", knee, 1, LARGEST_SIZE);
        also.forEach(each -> Checks.within(spec, "--also", each, 1, LARGEST_SIZE));
        if (timeout != null && timeout.compareTo(waitTarget) < 0) {
            throw refused("--timeout", timeout, "at least --wait-target, " + waitTarget);
        }
    }

    private ParameterException refused(String option, Object value, String rule) {
        return Checks.refused(spec, option, value, rule);
    }

    private PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }

    private PrintWriter err() {
        return Objects.requireNonNull(spec).commandLine().getErr();
    }

    /** Prints a sentence for people: to the error output if the standard output is JSON, which a program reads. */
    private void say(String sentence) {
        (json != null && Output.isStandard(json) ? err() : out()).println(Reasons.printable(sentence));
    }

    private int ofTrace(Path file) throws IOException {
        Checks.unused(spec, "a trace", "--pool");
        if (Files.exists(file)) {
            Reasons.checkReadable(file);
        }
        if (JfrReader.isOne(file)) {
            throw new IOException(file + ": a flight recording; read it with --jfr " + file);
        }
        TraceFile read = TraceFile.read(file);
        if (read.damage().isPresent()) {
            if (!salvage) {
                throw new IOException(damage(read) + ", and --salvage uses them");
            }
        }
        if (read.trace().requests() == 0) {
            throw new IOException(
                    file + (read.cutOff() ? ": ends before the first request" : ": no request was recorded"));
        }
        Advice advice = Advisor.advise(read.trace(), question(read.header()));
        return advised(read.header().getOrDefault("pool", "the pool"), advice, incomplete(file, read));
    }

    private int advised(String name, Advice advice, List<String> incomplete) throws IOException {
        say(advice.text());
        incomplete.forEach(this::say);
        if (json != null) {
            AdviceJson.write(new Output(json, out()), advice, incomplete);
        }
        if (html != null) {
            new Output(html, out()).write(AdvicePage.of(name, advice));
        }
        if (demanded != null && advice.verdict() == Verdict.UNKNOWN) {
            return cannotSay("the record");
        }
        return exitCode(advice.connections());
    }

    private static String damage(TraceFile read) {
        return read.damage().orElse("") + "; " + read.blocks() + " earlier blocks with "
                + read.trace().requests() + " requests are whole";
    }

    /** The missing parts of a trace, as sentences. */
    private static List<String> incomplete(Path file, TraceFile read) {
        List<String> sentences = new ArrayList<>();
        if (read.damage().isPresent()) {
            sentences.add("Damaged: " + damage(read) + ".");
        }
        if (read.cutOff()) {
            sentences.add("Cut off: " + file + " ends within a block; the " + read.blocks() + " whole blocks with "
                    + read.trace().requests() + " requests are used.");
        }
        if (read.lost() > 0) {
            sentences.add(read.lost() + " more requests are not in the trace: they were too many to record.");
        }
        return sentences;
    }

    private Question question(Map<String, String> header) {
        int current = size != null ? size : figure(header, "max");
        if (current == 0) {
            throw refused(
                    "--size",
                    "(not given)",
                    "given, because the " + (header.isEmpty() ? "recording" : "trace") + " has no pool size");
        }
        Question question = Question.of(current).withAlso(also).withClasses(ClassLimits.of(header, current));
        Duration acquisition = timeout;
        int millis = figure(header, "timeoutMillis");
        if (acquisition == null && millis > 0) {
            acquisition = Duration.ofMillis(millis);
        }
        if (acquisition != null) {
            if (acquisition.compareTo(waitTarget) < 0) {
                throw refused("--wait-target", waitTarget, "at most the pool's acquisition timeout, " + acquisition);
            }
            // The order of the two calls keeps the target below the timeout.
            question = waitTarget.compareTo(question.timeout()) > 0
                    ? question.withTimeout(acquisition).withWaitTarget(waitTarget)
                    : question.withWaitTarget(waitTarget).withTimeout(acquisition);
        } else {
            question = question.withWaitTarget(waitTarget);
        }
        Integer known =
                knee != null ? knee : figure(header, "knee") > 0 ? Integer.valueOf(figure(header, "knee")) : null;
        return known == null ? question : question.withKnee(known);
    }

    /** A number of the header; 0 without one. */
    private static int figure(Map<String, String> header, String name) {
        try {
            return Integer.parseInt(header.getOrDefault(name, "0"));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private int ofJfr(Path file) throws IOException {
        Checks.unused(spec, "a flight recording", "--salvage");
        JfrWaits.Recording recording = JfrReader.read(file, timeout);
        if (!recording.damage().isEmpty()) {
            err().println(Reasons.printable(recording.damage()));
        }
        Map<String, MethodTrace.Leases> traced = new TreeMap<>(recording.traced());
        traced.values().removeIf(each -> !each.hasReturns());
        if (!traced.isEmpty()) {
            return ofMethods(file, recording, traced);
        }
        Checks.unused(
                spec,
                "a flight recording without a method trace",
                "--wait-target",
                "--timeout",
                "--knee",
                "--also",
                "--html");
        String kind = kind(recording.pools());
        JfrWaits.Recording own = kind == null ? recording : recording.of(kind);
        String reason = own.cannotSay();
        return reason == null
                ? sampled(JfrWaits.advise(own, size == null ? 0 : size), recording.damage())
                : unknown(file, reason);
    }

    private int ofMethods(Path file, JfrWaits.Recording recording, Map<String, MethodTrace.Leases> traced)
            throws IOException {
        String kind = Objects.requireNonNull(kind(traced.keySet()), "there is at least one");
        String reason = recording.severalOf(kind);
        if (reason != null) {
            return unknown(file, reason);
        }
        MethodTrace.Leases leases = Objects.requireNonNull(traced.get(kind), "one of them");
        List<String> incomplete = new ArrayList<>(leases.missing());
        if (!recording.damage().isEmpty()) {
            incomplete.add(recording.damage());
        }
        return advised(kind, Advisor.advise(leases.trace(), question(Map.of())), incomplete);
    }

    /** The kind of pool to advise on: that of {@code --pool}, or the only one found; null if the recording has none. */
    private @Nullable String kind(Set<String> found) {
        if (pool != null && !found.contains(pool)) {
            throw refused(
                    "--pool",
                    pool,
                    found.isEmpty() ? "left out: no request waited" : "one of " + String.join(", ", found));
        }
        if (pool == null && found.size() > 1) {
            throw refused("--pool", "(not given)", "one of " + String.join(", ", found));
        }
        return pool != null || found.isEmpty() ? pool : found.iterator().next();
    }

    private int unknown(Path file, String reason) {
        err().println(Reasons.printable(
                LogInput.name(file) + ": the number of connections needed is unknown: " + reason));
        return CANNOT_SAY;
    }

    private int ofLogs(List<Path> files) throws IOException {
        Checks.unused(spec, "a log", "--wait-target", "--timeout", "--knee", "--also", "--salvage", "--html");
        Set<Path> once = new HashSet<>();
        for (Path file : files) {
            if (!once.add(Files.isRegularFile(file) ? file.toRealPath() : file)) {
                throw refused("--hikari-log", file, "given once");
            }
        }
        HikariLog log = new HikariLog(new LogInput(() -> System.in), pool);
        Map<String, PoolSamples> pools = log.read(files);
        String name = pool;
        if (name == null) {
            if (pools.size() > 1) {
                throw refused("--pool", "(not given)", "one of " + String.join(", ", pools.keySet()));
            }
            name = pools.keySet().iterator().next();
        }
        PoolSamples samples = pools.get(name);
        if (samples == null) {
            throw refused("--pool", name, "one of " + String.join(", ", pools.keySet()));
        }
        if (size != null && size < samples.mostActive()) {
            throw refused(
                    "--size", size, "at least " + samples.mostActive() + ", the connections that were in use at once");
        }
        if (!log.damage().isEmpty()) {
            err().println(Reasons.printable(log.damage()));
        }
        return sampled(HikariAdvice.of(name, samples, size == null ? 0 : size), log.damage());
    }

    private int sampled(SampledDemand advice, String damage) throws IOException {
        say(advice.text());
        if (json != null) {
            AdviceJson.write(new Output(json, out()), advice, damage.isEmpty() ? List.of() : List.of(damage));
        }
        if (demanded != null && advice.connections() == 0 && Objects.requireNonNull(source).jfr == null) {
            return cannotSay("the log");
        }
        if (demanded != null && advice.connections() == 0) {
            throw refused(
                    "--size", "(not given)", "given with --assert: the recording does not contain the current size");
        }
        return exitCode(advice.connections());
    }

    private int cannotSay(String from) {
        err().println(Reasons.printable("Cannot check " + demanded + ": " + from + " gives no size."));
        return CANNOT_SAY;
    }

    private int exitCode(int connections) {
        if (demanded == null || demanded.holds(connections)) {
            return 0;
        }
        say("Assertion failed: " + demanded + "; the recommended size is " + connections + ".");
        return NOT_HELD;
    }
}
