// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import io.flexpool.cli.Checks;
import io.flexpool.cli.LogInput;
import io.flexpool.cli.Output;
import io.flexpool.cli.Reasons;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The subcommand {@code doctor}. */
@Command(
        name = "doctor",
        description = "Finds the cause of an exhausted pool in a running JVM, or in files saved from it.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:a cause was found, or no request waits",
            "1:a file or the process could not be read",
            "2:an option is wrong",
            "4:the cause is unknown; the answer names what is missing"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  flexpool doctor 4711",
            "  flexpool doctor dump1.txt dump2.txt dump3.txt app.log sessions.csv metrics.txt --html doctor.html"
        })
public final class DoctorCommand implements Callable<Integer> {
    private static final int UNREADABLE = 1;
    private static final int UNKNOWN = 4;
    private static final int LONGEST = 600;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            arity = "1..*",
            paramLabel = "PID|FILE",
            description =
                    "The process, or files in any order: thread dumps (jstack, jcmd, JSON, Spring's actuator), logs,"
                            + " pg_stat_activity as CSV, a Prometheus scrape; - for the standard input.")
    private List<String> sources = List.of();

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description =
                    "For a process: seconds between the first and the last of three dumps (default: 2). From JDK 25, flexpool traces"
                            + " requests and returns of connections in the first half of this time.")
    private @Nullable Integer seconds;

    @Option(
            names = "--jfr",
            paramLabel = "FILE",
            description =
                    "For a process on JDK 25 or newer: keeps the trace of requests and returns, for advise --jfr.")
    private @Nullable Path jfr;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Writes the answer as JSON; - for the standard output.")
    private @Nullable Path json;

    @Option(
            names = "--markdown",
            paramLabel = "FILE",
            description = "Writes the answer as Markdown; - for the standard output.")
    private @Nullable Path markdown;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Writes the answer as one self-contained HTML page; - for the standard output.")
    private @Nullable Path html;

    @ArgGroup(exclusive = false, heading = "%nThe server's side:%n")
    private @Nullable ServerOptions server;

    /** Created by the command line parser. */
    public DoctorCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        CommandLine commandLine = Objects.requireNonNull(spec).commandLine();
        Checks.within(spec, "--seconds", seconds, 1, LONGEST);
        if (standards() > 1) {
            throw Checks.wrong(spec, "--json, --markdown, --html: only one of them may be the standard output");
        }
        boolean files = sources.stream().noneMatch(DoctorCommand::isProcess);
        if (files) {
            Checks.unused(spec, "files", "--seconds", "--jfr");
        }
        SessionsQuery query = server == null ? null : server.query(spec);
        Evidence evidence = new Evidence();
        LogInput input = new LogInput(() -> System.in);
        for (String source : sources) {
            if (isProcess(source)) {
                live(evidence, Long.parseLong(source));
            } else {
                evidence.read(Path.of(source), input);
            }
        }
        if (query != null) {
            read(query, evidence);
        }
        Diagnosis.Answer answer = new Diagnosis(evidence).answer();
        PrintWriter standard = standards() > 0 ? commandLine.getErr() : commandLine.getOut();
        standard.print(DoctorText.text(answer));
        standard.flush();
        evidence.problems().forEach(each -> commandLine.getErr().println(Reasons.printable(each)));
        if (json != null) {
            new Output(json, commandLine.getOut()).write(DoctorText.json(answer, evidence.problems()));
        }
        if (markdown != null) {
            new Output(markdown, commandLine.getOut()).write(DoctorPage.markdown(answer, evidence.problems()));
        }
        if (html != null) {
            new Output(html, commandLine.getOut()).write(DoctorPage.html(answer, evidence.problems()));
        }
        if (!evidence.problems().isEmpty()) {
            return UNREADABLE;
        }
        return answer.cause() == null && !answer.quiet() ? UNKNOWN : 0;
    }

    private static boolean isProcess(String source) {
        return source.matches("\\d{1,10}") && !Files.exists(Path.of(source));
    }

    /** Reads the sessions right after the last dump. A failure is only a problem: the other evidence remains. */
    private static void read(SessionsQuery query, Evidence evidence) {
        try {
            evidence.add(query.read());
        } catch (IOException unreadable) {
            evidence.problem(String.valueOf(unreadable.getMessage()));
        }
    }

    /** The number of output formats for the standard output. */
    private long standards() {
        return Stream.of(json, markdown, html)
                .filter(each -> each != null && Output.isStandard(each))
                .count();
    }

    private void live(Evidence evidence, long pid) throws IOException, InterruptedException {
        LiveJvm jvm = new LiveJvm(pid);
        long nanos = TimeUnit.SECONDS.toNanos(seconds == null ? 2 : seconds);
        evidence.add(jvm.dump());
        if (jvm.canTrace()) {
            trace(jvm, nanos / 2, evidence);
        } else {
            if (jfr != null) {
                evidence.problem("process " + pid + ": its JDK does not trace methods; --jfr needs JDK 25 or newer");
            }
            LiveJvm.pause(nanos / 2);
        }
        evidence.add(jvm.dump());
        // Measures while this program uses no processor.
        ProcessorTime.Reading before = ProcessorTime.of(pid);
        LiveJvm.pause(nanos / 2);
        ProcessorTime.Reading after = ProcessorTime.of(pid);
        if (before != null && after != null) {
            evidence.add(after.since(before));
        }
        evidence.add(jvm.dump());
        evidence.add(jvm.refused());
    }

    /** Traces methods. A failure is only a problem: the dumps remain. */
    private void trace(LiveJvm jvm, long nanos, Evidence evidence) throws InterruptedException {
        try {
            evidence.measured(jvm.trace(nanos, jfr));
        } catch (IOException failed) {
            evidence.problem(String.valueOf(failed.getMessage()));
        }
    }
}
