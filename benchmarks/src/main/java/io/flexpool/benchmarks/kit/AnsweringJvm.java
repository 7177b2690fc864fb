// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A program in a separate JVM that gives one answer, at its end; until then it may report news. */
public final class AnsweringJvm {
    private static final String MARK = "answering-jvm";
    private static final String ANSWER = "answer ";
    private static final String NEWS = "news ";
    private static final String FOLDER = "java.io.tmpdir";

    private AnsweringJvm() {}

    /**
     * For the program's {@code main}: answers and ends the JVM, even if threads are left behind. If there is no
     * answer, it says why and ends with 1.
     *
     * @param answer one line
     */
    public static void answer(Callable<String> answer) {
        int exitCode = 1;
        try {
            FreshJvm.report(MARK, ANSWER + answer.call());
            exitCode = 0;
        } catch (Exception | Error e) {
            // For the process that waits for the answer; a log may be turned off.
            e.printStackTrace(new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        }
        System.exit(exitCode);
    }

    /**
     * As {@link #answer}, with an answer for {@link #ask(String, FreshJvm, Class, Duration)}.
     *
     * @param answer a record
     */
    public static void answerJson(Callable<?> answer) {
        // Only now: what measures a fresh JVM must not have loaded more than it needs.
        answer(() -> new ObjectMapper().writeValueAsString(answer.call()));
    }

    /**
     * Runs a program to its end and reads its answer, as {@link #answerJson} wrote it.
     *
     * @param what is being run, for the message of a failure
     * @param jvm the program with its arguments, its Java and its options
     * @param type of the answer
     * @param patience how long it may take
     * @return the answer
     * @param <A> its type
     * @throws IOException if it cannot be started, fails or does not answer; the message has what it said
     * @throws InterruptedException if this thread is interrupted; the JVM is ended then
     */
    public static <A> A ask(String what, FreshJvm jvm, Class<A> type, Duration patience)
            throws IOException, InterruptedException {
        String answer = ask(what, jvm, patience, () -> false, news -> {}).orElseThrow();
        return new ObjectMapper().readValue(answer, type);
    }

    /**
     * For the program, before it answers: something for the process that waits. It also shows that the program does not
     * hang.
     *
     * @param text one line
     */
    public static void news(String text) {
        FreshJvm.report(MARK, NEWS + text);
    }

    /**
     * Runs a program and waits for its answer. It has this JVM's Java and its folder for temporary files.
     *
     * @param what is being run, for the message of a failure
     * @param program a class with a {@code main}
     * @param question its only argument
     * @param patience how long it may take
     * @param stop asked several times a second whether to end it
     * @return its answer; empty if it was to stop
     * @throws IOException if it cannot be started, fails or does not answer; the message has what it said
     * @throws InterruptedException if this thread is interrupted; the JVM is ended then
     */
    public static Optional<String> ask(
            String what, Class<?> program, String question, Duration patience, BooleanSupplier stop)
            throws IOException, InterruptedException {
        return ask(what, new FreshJvm(program).arguments(question), patience, stop, news -> {});
    }

    /**
     * Runs a program and waits for its answer. It has this JVM's folder for temporary files.
     *
     * @param what is being run, for the message of a failure
     * @param jvm the program with its arguments, its Java and its options
     * @param patience how long it may take, from its start or its last news
     * @param stop asked several times a second whether to end it
     * @param news receives what the program reports before its answer, at once
     * @return its answer; empty if it was to stop
     * @throws IOException if it cannot be started, fails or does not answer; the message has what it said
     * @throws InterruptedException if this thread is interrupted; the JVM is ended then
     */
    public static Optional<String> ask(
            String what, FreshJvm jvm, Duration patience, BooleanSupplier stop, Consumer<String> news)
            throws IOException, InterruptedException {
        List<String> answers = new ArrayList<>();
        FreshJvm.Ended ended = jvm.options(List.of("-D" + FOLDER + "=" + System.getProperty(FOLDER)))
                .run(MARK, patience, stop, report -> {
                    if (report.startsWith(ANSWER)) {
                        answers.add(report.substring(ANSWER.length()));
                    } else if (report.startsWith(NEWS)) {
                        news.accept(report.substring(NEWS.length()));
                    }
                });
        if (ended.exitCode() == 0 && answers.size() == 1) {
            return Optional.of(answers.get(0));
        }
        // Ctrl-C reaches both JVMs, and the other one may be the first to end.
        if (ended.end() == FreshJvm.End.STOPPED || stop.getAsBoolean()) {
            return Optional.empty();
        }
        String end = ended.end() == FreshJvm.End.SILENT
                ? "the JVM did not answer within " + patience.toSeconds() + " s"
                : "the JVM ended with " + ended.exitCode();
        throw new IOException(what + ": " + end + ": " + ended.said());
    }
}
