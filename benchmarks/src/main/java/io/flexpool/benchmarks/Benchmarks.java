// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import io.flexpool.benchmarks.broker.BrokerCommand;
import io.flexpool.benchmarks.broker.PersistenceCommand;
import io.flexpool.benchmarks.burst.BurstCommand;
import io.flexpool.benchmarks.directory.DirectoryCommand;
import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.openclose.OpenCloseCommand;
import io.flexpool.benchmarks.overhead.OverheadCommand;
import io.flexpool.benchmarks.report.ReportCommand;
import io.flexpool.benchmarks.shootout.ShootOutCommand;
import io.flexpool.benchmarks.simulate.SimulateCommand;
import io.flexpool.benchmarks.tail.TailCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** The program: one subcommand per scenario, and one that shows what they measured. */
@Command(
        name = "flexpool-benchmarks",
        description = "Measures pools with and without flexpool. One subcommand per scenario.",
        mixinStandardHelpOptions = true,
        versionProvider = Benchmarks.Version.class,
        subcommands = {
            BrokerCommand.class,
            BurstCommand.class,
            DirectoryCommand.class,
            OpenCloseCommand.class,
            OverheadCommand.class,
            PersistenceCommand.class,
            ReportCommand.class,
            ShootOutCommand.class,
            SimulateCommand.class,
            TailCommand.class,
            HelpCommand.class
        })
public final class Benchmarks {

    /**
     * Runs one scenario and ends the JVM with its exit code: 0 done, 1 failed, 2 bad options.
     *
     * @param args the subcommand and its options
     */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /**
     * The parser with all subcommands, for {@link #main} and for tests.
     *
     * @return a new parser
     */
    public static CommandLine commandLine() {
        return new CommandLine(new Benchmarks());
    }

    /** The version that the build wrote. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {
                "flexpool-benchmarks " + Environment.builtWith().get("flexpool")
            };
        }
    }
}
