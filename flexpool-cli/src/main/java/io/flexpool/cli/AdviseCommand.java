// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** How many connections a pool needs. */
@Command(
        name = "advise",
        description =
                "Recommends a size for a pool from what its requests did, with what they would have waited with others.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:a file could not be read or written",
            "2:an option is wrong",
            "3:--assert does not hold"
        })
final class AdviseCommand implements Callable<Integer> {
    private static final int NOT_HELD = 3;
    private static final int LARGEST_SIZE = 100_000;

    @Spec
    private @Nullable CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    private @Nullable Source source;

    /** Exactly one of them. */
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
                description =
                        "A flight recording of an application, with or without flexpool: its waits of 20 ms and longer.")
        private @Nullable Path jfr;

        @Option(
                names = "--hikari-log",
                paramLabel = "FILE",
                description = "A log with HikariCP's \"Pool stats\" lines.")
        private @Nullable Path hikariLog;
    }

    @Option(names = "--pool", paramLabel = "NAME", description = "Of several pools in a log, which one.")
    private @Nullable String pool;

    @Option(
            names = "--size",
            paramLabel = "N",
            description = "Today's size of the pool, 1 to 100,000; by default what the trace or log says.")
    private @Nullable Integer size;

    @Option(
            names = "--wait-target",
            paramLabel = "DURATION",
            defaultValue = "10ms",
            converter = DurationConverter.class,
            description = "99 %% of the requests shall wait at most so long (default: ${DEFAULT-VALUE}).")
    private Duration waitTarget = Question.DEFAULT_TARGET;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "The acquisition timeout; by default what the trace says, else 30s.")
    private @Nullable Duration timeout;

    @Option(
            names = "--knee",
            paramLabel = "N",
            description = "Above so many connections the database is known to do no more work.")
    private @Nullable Integer knee;

    @Option(names = "--also", paramLabel = "N", split = ",", description = "Further sizes for the curve, as in 4,8,12.")
    private List<Integer> also = List.of();

    @Option(names = "--html", paramLabel = "FILE", description = "Writes a page with the curve.")
    private @Nullable Path html;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes the advice as JSON.")
    private @Nullable Path json;

    @Option(
            names = "--assert",
            paramLabel = "RULE",
            converter = Demanded.Converter.class,
            description = "For a build: exit code 3 unless the recommended size meets max<=N.")
    private @Nullable Demanded demanded;

    @Option(names = "--salvage", description = "Uses what is before the damage of a damaged trace.")
    private boolean salvage;

    @Override
    public Integer call() throws IOException {
        checkSizes();
        Source from = Objects.requireNonNull(source, "one of the group is required");
        return from.trace != null
                ? ofTrace(from.trace)
                : from.jfr != null ? ofJfr(from.jfr) : ofLog(Objects.requireNonNull(from.hikariLog));
    }

    private void checkSizes() {
        checkSize("--size", size);
        checkSize("--knee", knee);
        also.forEach(each -> checkSize("--also", each));
        if (timeout != null && timeout.compareTo(waitTarget) < 0) {
            throw refused("--timeout", timeout, "at least --wait-target, " + waitTarget);
        }
    }

    private void checkSize(String option, @Nullable Integer value) {
        if (value != null && (value < 1 || value > LARGEST_SIZE)) {
            throw refused(option, value, "from 1 to " + LARGEST_SIZE);
        }
    }

    private ParameterException refused(String option, Object value, String rule) {
        return new ParameterException(
                Objects.requireNonNull(spec).commandLine(), option + " = " + value + ": must be " + rule);
    }

    private PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }

    private int ofTrace(Path file) throws IOException {
        TraceFile read = TraceFile.read(file);
        if (read.damage().isPresent()) {
            String saved = read.blocks() + " blocks with " + read.trace().requests() + " requests before it are whole";
            if (!salvage) {
                throw new IOException(read.damage().get() + "; " + saved + ", and --salvage uses them");
            }
            out().println("Damaged: " + read.damage().get() + "; " + saved + ".");
        }
        if (read.trace().requests() == 0) {
            throw new IOException(file + ": no request was recorded");
        }
        Advice advice = Advisor.advise(read.trace(), question(read.header()));
        out().println(advice.text());
        if (read.lost() > 0) {
            out().println(read.lost() + " requests more are not in the trace: there were too many of them to record.");
        }
        if (json != null) {
            AdviceJson.write(json, advice);
        }
        if (html != null) {
            Files.writeString(html, AdvicePage.of(read.header().getOrDefault("pool", "the pool"), advice));
        }
        return exitCode(advice.connections());
    }

    private Question question(Map<String, String> header) {
        int current = size != null ? size : figure(header, "max");
        if (current == 0) {
            throw refused("--size", "(not given)", "given, because the trace does not say the pool's size");
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
            // In this order: the target must never be above the timeout.
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

    /** 0 if the header does not have it. */
    private static int figure(Map<String, String> header, String name) {
        try {
            return Integer.parseInt(header.getOrDefault(name, "0"));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private int ofJfr(Path file) throws IOException {
        return sampled(JfrWaits.advise(JfrWaits.read(file), size == null ? 0 : size));
    }

    private int ofLog(Path file) throws IOException {
        Map<String, List<HikariLog.Moment>> pools = HikariLog.read(file);
        String name = pool;
        if (name == null) {
            if (pools.size() > 1) {
                throw refused("--pool", "(not given)", "one of " + String.join(", ", pools.keySet()));
            }
            name = pools.keySet().iterator().next();
        }
        List<HikariLog.Moment> moments = pools.get(name);
        if (moments == null) {
            throw refused("--pool", name, "one of " + String.join(", ", pools.keySet()));
        }
        return sampled(HikariLog.advise(name, moments));
    }

    private int sampled(SampledDemand advice) throws IOException {
        if (html != null) {
            throw refused("--html", html, "left out: only a trace of flexpool has a curve");
        }
        out().println(advice.text());
        if (json != null) {
            AdviceJson.write(json, advice);
        }
        if (demanded != null && advice.connections() == 0) {
            throw refused("--size", "(not given)", "given for --assert: no size follows from the recording alone");
        }
        return exitCode(advice.connections());
    }

    private int exitCode(int connections) {
        if (demanded == null || demanded.holds(connections)) {
            return 0;
        }
        out().println("Does not hold: " + demanded + "; the recommended size is " + connections + ".");
        return NOT_HELD;
    }
}
