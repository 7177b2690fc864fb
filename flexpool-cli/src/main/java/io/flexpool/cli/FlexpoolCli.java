// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import io.flexpool.cli.doctor.DoctorCommand;
import io.flexpool.cli.lint.LintCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** The program {@code flexpool}. */
@Command(
        name = "flexpool",
        description = "Answers questions about connection pools from files.",
        mixinStandardHelpOptions = true,
        versionProvider = FlexpoolCli.Version.class,
        subcommands = {
            AdviseCommand.class,
            BudgetCommand.class,
            DoctorCommand.class,
            LintCommand.class,
            MigrateCommand.class,
            GenerateCompletion.class,
            ManPage.class,
            HelpCommand.class
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:a file could not be read or written",
            "2:an option is wrong; the message names it",
            "3:the condition of --assert or --strict is not met, a budget does not fit, or lint has findings",
            "4:doctor did not find the cause"
        })
public final class FlexpoolCli {
    /** Created by the command line parser. */
    public FlexpoolCli() {}

    /**
     * Runs one subcommand and ends the JVM with its exit code.
     *
     * @param args the subcommand and its options
     */
    public static void main(String[] args) {
        int code;
        PrintWriter out = new PrintWriter(
                new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8), true);
        PrintWriter err = new PrintWriter(
                new OutputStreamWriter(new FileOutputStream(FileDescriptor.err), StandardCharsets.UTF_8), true);
        try {
            code = commandLine().setOut(out).setErr(err).execute(args);
        } catch (OutOfMemoryError | StackOverflowError exhausted) {
            err.println("flexpool: " + Reasons.of(exhausted));
            code = CommandLine.ExitCode.SOFTWARE;
        }
        // A PrintWriter throws no exception, for example for a full disk.
        if (out.checkError()) {
            err.println("flexpool: the standard output could not be written completely");
            code = code == CommandLine.ExitCode.OK ? CommandLine.ExitCode.SOFTWARE : code;
        }
        System.exit(code);
    }

    /**
     * The parser with all subcommands, for {@link #main} and for tests.
     *
     * @return a new parser
     */
    static CommandLine commandLine() {
        return new CommandLine(new FlexpoolCli())
                .setExecutionExceptionHandler((failure, commandLine, parsed) -> {
                    // Prints the reason without a stack trace.
                    commandLine.getErr().println("flexpool: " + Reasons.printable(Reasons.of(failure)));
                    return CommandLine.ExitCode.SOFTWARE;
                })
                .setParameterExceptionHandler((wrong, args) -> {
                    CommandLine command = wrong.getCommandLine();
                    PrintWriter err = command.getErr();
                    // The parser's message for a map has the word "option" twice.
                    err.println(
                            Reasons.printable(String.valueOf(wrong.getMessage()).replace("option option", "option")));
                    CommandLine.UnmatchedArgumentException.printSuggestions(wrong, err);
                    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
                    return CommandLine.ExitCode.USAGE;
                });
    }

    /** The version that the build has stored. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = FlexpoolCli.class.getPackage().getImplementationVersion();
            return new String[] {"flexpool " + Objects.requireNonNullElse(version, "(not packaged)")};
        }
    }
}
