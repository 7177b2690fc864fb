// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Spec;

/** The subcommand {@code generate-man-page}: one page of the texts that {@code --help} of each command shows. */
@Command(
        name = "generate-man-page",
        description = "Writes the page for man to the standard output.",
        mixinStandardHelpOptions = true)
final class ManPage implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        CommandLine program = Objects.requireNonNull(spec).commandLine().getParent();
        spec.commandLine().getOut().print(of(program));
        spec.commandLine().getOut().flush();
        return CommandLine.ExitCode.OK;
    }

    /** The page in the format of the macros {@code man}. */
    static String of(CommandLine program) {
        CommandSpec main = program.getCommandSpec();
        StringBuilder page = new StringBuilder(".TH FLEXPOOL 1 \"\" \"")
                .append(text(main.version()[0]))
                .append("\"\n.SH NAME\nflexpool \\- ")
                .append(paragraph(main.usageMessage().description()))
                .append(".SH SYNOPSIS\n")
                .append(synopsis(program))
                .append(".SH OPTIONS\n");
        main.options().forEach(each -> argument(each, page));
        List<CommandLine> commands = program.getSubcommands().values().stream()
                .distinct()
                .filter(each -> !each.getCommandSpec().usageMessage().hidden())
                .toList();
        for (CommandLine each : commands) {
            command(each, page);
        }
        page.append(".SH EXIT STATUS\n");
        exitCodes(main.usageMessage(), page);
        return page.toString();
    }

    private static void command(CommandLine command, StringBuilder page) {
        CommandSpec spec = command.getCommandSpec();
        page.append(".SH ")
                .append(text(spec.name().toUpperCase(Locale.ROOT)))
                .append('\n')
                .append(paragraph(spec.usageMessage().description()))
                .append(".PP\n")
                .append(synopsis(command));
        spec.positionalParameters().forEach(each -> argument(each, page));
        spec.options().stream()
                .filter(each -> !each.usageHelp() && !each.versionHelp())
                .forEach(each -> argument(each, page));
        if (!spec.usageMessage().exitCodeList().isEmpty()) {
            page.append(".PP\nExit status:\n");
            exitCodes(spec.usageMessage(), page);
        }
        if (spec.usageMessage().footer().length > 0) {
            page.append(".PP\nExamples:\n.PP\n.nf\n");
            Stream.of(spec.usageMessage().footer())
                    .forEach(each -> page.append(line(each)).append('\n'));
            page.append(".fi\n");
        }
    }

    private static String synopsis(CommandLine command) {
        String synopsis = command.getHelp().synopsis(0).replaceAll("\\s+", " ").strip();
        return line(synopsis) + "\n";
    }

    private static void argument(ArgSpec argument, StringBuilder page) {
        if (argument.hidden()) {
            return;
        }
        String value = argument.arity().max() == 0 ? "" : "\\fI" + text(argument.paramLabel()) + "\\fR";
        String names = argument instanceof OptionSpec option
                ? Stream.of(option.names())
                        .map(name -> "\\fB" + text(name) + "\\fR")
                        .reduce((a, b) -> a + ", " + b)
                        .orElse("")
                : "";
        page.append(".TP\n")
                .append(names)
                .append(names.isEmpty() || value.isEmpty() ? "" : "=")
                .append(value)
                .append('\n')
                .append(paragraph(argument.description()));
    }

    private static void exitCodes(UsageMessageSpec usage, StringBuilder page) {
        usage.exitCodeList()
                .forEach((code, meaning) -> page.append(".TP\n\\fB")
                        .append(text(code))
                        .append("\\fR\n")
                        .append(paragraph(meaning)));
    }

    /** Joins texts to one paragraph. */
    private static String paragraph(String... texts) {
        return line(String.join(" ", texts)
                        .replace("%n", " ")
                        .replace("%%", "%")
                        .replaceAll("\\s+", " ")
                        .strip()) + "\n";
    }

    /** Escapes a line that begins with a full stop or apostrophe, which would be a macro. */
    private static String line(String text) {
        return (text.startsWith(".") || text.startsWith("'") ? "\\&" : "") + text(text);
    }

    private static String text(String text) {
        return Help.Ansi.OFF.string(text).replace("\\", "\\e").replace("-", "\\-");
    }
}
