// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bad options end at once with exit code 2, and the message names the option and what is allowed. */
class OptionsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    open-close | --db         | oracle        | must be one of h2mem, h2tcp, postgres
                    open-close | --pools      | proxool       | must be one of hikaricp
                    open-close | --iterations | many          | whole number from 1
                    open-close | --iterations | -5            | whole number from 1
                    open-close | --rounds     | 0             | whole number from 1
                    open-close | --json       | /no/such/file | does not exist
                    burst | --pools    | hikari      | must be one of hikaricp, tomcat, c3p0, druid, dbcp2; the nearest is hikaricp
                    burst | --pools    | tomcat,drud | the nearest is druid
                    burst | --variants | flexipool   | the nearest is flexypool
                    burst | --db       | h2mem       | must be one of stub, postgres
                    burst | --ceiling  | 19          | must not be below --base, 20
                    burst | --ceiling  | 1           | whole number from 2 to 1000
                    burst | --base     | 0           | whole number from 1 to 1000
                    burst | --bursts   | 0           | whole number from 1 to 1000
                    burst | --bursts   | many        | whole number from 1 to 1000
                    burst | --burst-size | 1001      | whole number from 1 to 1000
                    burst | --rate     | 0.5         | whole number from 1 to 1000
                    burst | --hold     | -1          | whole number from 1 to 60000
                    burst | --every    | 599         | must not be below --deadline and --hold together, 600
                    burst | --timeout  | 249         | whole number from 250 to 60000
                    burst | --deadline | 60001       | whole number from 250 to 60000
                    burst | --keep     | -1          | must be 'default' or a whole number from 0 to 600000
                    burst | --keep     | 600001      | must be 'default' or a whole number from 0 to 600000
                    burst | --keep     | soon        | must be 'default' or a whole number from 0 to 600000
                    burst | --connect  | fast        | whole number from 0 to 10000
                    burst | --warm-up  | -1          | whole number from 0 to 100
                    burst | --seed     | x           | whole number from -9223372036854775808
                    burst | --json     | /no/such/file | does not exist
                    directory | --pools    | tomkat      | must be one of c3p0, hikaricp, tomcat; the nearest is tomcat
                    directory | --variants | bare-cieling | the nearest is bare-ceiling
                    directory | --ceiling  | 104         | must not be below --base, 105
                    directory | --ceiling  | 201         | whole number from 2 to 200
                    directory | --base     | 0           | whole number from 1 to 200
                    directory | --clients  | 101         | whole number from 1 to 100
                    directory | --rate     | none        | whole number from 1 to 1000
                    directory | --duration | 0           | whole number from 1 to 86400
                    directory | --duration | 86400       | makes 34580800 requests; must not be more than 2000000
                    directory | --bursts   | 1001        | whole number from 1 to 1000
                    directory | --burst-size | 0         | whole number from 1 to 1000
                    directory | --every    | 1249        | must not be below --deadline and --log together, 1250
                    directory | --log      | -1          | whole number from 0 to 1000
                    directory | --timeout  | 249         | whole number from 250 to 60000
                    directory | --deadline | 249         | whole number from 250 to 60000
                    directory | --seed     | x           | whole number from -9223372036854775808
                    directory | --markdown | /no/such/file | does not exist
                    report    | --markdown | /no/such/file | does not exist
                    overhead   | --threads    | 2             | threads:pool
                    overhead   | --threads    | 0:2           | threads:pool
                    overhead   | --threads    | 1:1           | threads:pool
                    overhead   | --threads    | 1001:2        | 1 to 1000 threads
                    overhead   | --threads    | 1:2,x         | threads:pool
                    overhead   | --variants   | turbo         | must be one of bare, control, ideal, flexpool-watched, flexpool-bound
                    overhead   | --rounds     | 1e3           | whole number from 1
                    overhead   | --warm-up    | -1            | whole number from 1
                    overhead   | --slices     | 0             | must be ms or ms:rounds like 4 or 100:20, with 1 to 1000 ms and 1 to 10000 rounds
                    overhead   | --slices     | 1001          | with 1 to 1000 ms
                    overhead   | --slices     | 4:0           | 1 to 10000 rounds
                    overhead   | --slices     | 4:10001       | 1 to 10000 rounds
                    overhead   | --slices     | 4,100:        | ms or ms:rounds
                    overhead   | --slices     | 4:10,4        | '4' must differ in length from '4:10'
                    overhead   | --jvms       | 0             | whole number from 1 to 100
                    overhead   | --jvms       | ten           | whole number from 1 to 100
                    overhead   | --java       | /no/such/jdk  | must be the home of a Java installation, 17 or newer; it has no bin/java
                    overhead   | --variants   | flexypol      | the nearest is flexypool
                    overhead   | --json       | /no/such/file | does not exist
                    overhead   | --markdown   | /no/such/file | does not exist
                    broker | --messages  | 9           | whole number from 10 to 10000000
                    broker | --payload   | 1m          | bytes, or of kilobytes as in 10k, from 1 to 1024k
                    broker | --payload   | 1k,0        | from 1 to 1024k
                    broker | --payload   | 1025k       | from 1 to 1024k
                    broker | --stores    | postgres-c3p1 | the nearest is postgres-c3p0
                    broker | --repeats   | 0           | whole number from 1 to 100
                    broker | --in-flight | 10001       | whole number from 1 to 10000
                    broker | --seed      | x           | whole number from
                    broker | --json      | /no/such/file | does not exist
                    persistence | --shapes    | topic-1-6   | must be one of queue-1-1, topic-1-1, topic-1-5, topic-5-5
                    persistence | --workload  | /no/such/file | is no file
                    persistence | --stores    | kahadb-disc | the nearest is kahadb-disk
                    persistence | --messages  | 0           | whole number from 1 to 10000000
                    persistence | --duration  | 3601        | whole number from 1 to 3600
                    persistence | --repeats   | 101         | whole number from 1 to 100
                    persistence | --in-flight | 0           | whole number from 1 to 10000
                    persistence | --markdown  | /no/such/file | does not exist
                    shoot-out | --pools    | hickaricp,druid | must be one of druid, dbcp2, dbcp14, bonecp, c3p0, proxool, tomcat-jdbc, jboss-datasource, hikaricp, vibur; the nearest is hikaricp
                    shoot-out | --variants | flexipool     | must be one of bare, flexpool, flexpool-watched; the nearest is flexpool
                    shoot-out | --db       | h2mem         | must be one of stub, postgres
                    shoot-out | --threads  | 1,0           | whole number from 1 to 1000
                    shoot-out | --cycles   | 1e6           | whole number from 1 to 10000000
                    shoot-out | --repeats  | 101           | whole number from 1 to 100
                    shoot-out | --bound    | 0             | whole number from 1 to 3600
                    shoot-out | --seed     | x             | whole number from -9223372036854775808
                    shoot-out | --markdown | /no/such/file | does not exist
                    simulate | --scenario   | slow-x33      | must be one of steady, step, step-down, burst, slow-x10, slow-x3, latency, overload, leak, outage, think, short-timeout, short-timeout-slow, long-leases, night-batch, mixed-work, two-instances, four-instances, minute-bursts, speed-30, speed-60-at-60, speed-60, speed-85-at-60, speed-85, recurring-jobs, above-the-peak, rare-long-ones; the nearest is slow-x3
                    simulate | --scenario   | step,leek     | the nearest is leak
                    simulate | --controller | flexypol      | must be one of best-static, flexypool, increment-shrink, aimd, gradient2, vegas, little-guard, flexpool, flexpool-classes; the nearest is flexypool
                    simulate | --seeds      | 0             | whole number from 1 to 100
                    simulate | --sigma      | -0.1          | must be a number from 0 to 0.9
                    simulate | --sigma      | NaN           | must be a number from 0 to 0.9
                    simulate | --sigma      | some          | must be a number from 0 to 0.9
                    simulate | --kappa      | 0             | must be a number from 0.0001 to 1
                    simulate | --random-curves | -1         | whole number from 0 to 1000
                    simulate | --group      | newer         | must be one of public, new, hard, never-seen, new-never-seen; the nearest is new
                    simulate | --random-scenarios | -1      | whole number from 0 to 1000
                    simulate | --seed       | x             | whole number from -9223372036854775808
                    simulate | --markdown   | /no/such/file | does not exist
                    tail | --threads      | 1001          | whole number from 1 to 1000
                    tail | --pool         | 0             | whole number from 1 to 1000
                    tail | --hold         | 1             | must be 0, or a whole number with its unit like 500us or 1ms, up to 1000ms
                    tail | --hold         | 0.5ms         | must be 0, or a whole number with its unit
                    tail | --hold         | -1ms          | must be 0, or a whole number with its unit
                    tail | --hold         | 1001ms        | up to 1000ms
                    tail | --hold         | 251ms         | together make a request wait for 1004 ms on the average; must not be more than 1000
                    tail | --burn-held    | 100001us      | up to 100ms
                    tail | --burn-between | 1s            | up to 100ms
                    tail | --warm-up      | 0             | whole number from 1 to 3600
                    tail | --seconds      | 3601          | whole number from 1 to 3600
                    tail | --repeat       | 101           | whole number from 1 to 100
                    tail | --jvms         | many          | whole number from 1 to 100
                    tail | --java         | /no/such/home | must be the home of a Java
                    tail | --variants     | flexpool-bond | must be one of bare, ideal, flexypool-dropwizard, flexpool-watched, flexpool-bound, flexpool-bound-throughput, flexpool-acting; the nearest is flexpool-bound
                    tail | --json         | /no/such/file | does not exist
                    tail | --markdown     | /no/such/file | does not exist
                    """)
    void aBadValueIsRefusedByName(String command, String option, String value, String allowed) {
        Run run = Run.of(command, option, value);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("'" + option).contains(allowed);
        assertThat(run.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "open-close,--speed",
        "overhead,--db",
        "overhead,--compilations",
        "overhead,--jvm",
        "burst,--rounds",
        "broker,--pools",
        "persistence,--payload",
        "shoot-out,--rounds",
        "directory,--threads",
        "simulate,--curves",
        "tail,--rounds"
    })
    void anUnknownOptionIsRefusedByName(String command, String option) {
        Run run = Run.of(command, option, "1");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("Unknown option").contains(option);
    }

    @Test
    void aNameThatIsFarFromAllHasNoNearest() {
        Run run = Run.of("burst", "--pools", "websphere");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("'websphere' must be one of").doesNotContain("nearest");
    }

    @Test
    void aDeadlineBelowTheTimeoutIsRefused() {
        Run run = Run.of("burst", "--timeout", "300", "--deadline", "299");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("'--deadline'").contains("'299' must not be below --timeout, 300");
    }

    @Test
    void aWorkloadWithAnUnknownKeyIsRefusedByName(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("mine.properties"), "nummesages=5");

        Run run = Run.of("persistence", "--workload", file.toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--workload").contains("'nummesages'").contains("the nearest is nummessages");
    }

    @Test
    void twoWorkloadsOfOneNameAreRefused(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("queue-1-1.properties"), "nummessages=5");

        Run run = Run.of("persistence", "--shapes=queue-1-1", "--workload", file.toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--workload").contains("'queue-1-1'").contains("must differ");
    }

    @Test
    void anUnknownScenarioIsRefusedByName() {
        Run run = Run.of("open-clothes");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("open-clothes").contains("open-close");
    }

    @Test
    void aMissingScenarioIsRefusedWithThoseThatExist() {
        Run run = Run.of();

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("open-close").contains("overhead").contains("simulate");
    }

    @Test
    void aFolderIsNoJsonFile(@TempDir Path folder) {
        Run run = Run.of("overhead", "--json", folder.toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--json").contains("folder");
    }

    @Test
    void aReportOfNothingIsRefused(@TempDir Path folder) {
        Run run = Run.of("report", "--markdown", folder.resolve("page.md").toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("RESULT");
    }

    @ParameterizedTest
    @CsvSource({
        "open-close,--iterations",
        "overhead,--variants",
        "overhead,--slices",
        "overhead,--java",
        "burst,--ceiling",
        "broker,--in-flight",
        "persistence,--workload",
        "shoot-out,--bound",
        "directory,--burst-size",
        "report,--markdown",
        "simulate,--random-curves",
        "tail,--burn-between"
    })
    void helpExplainsTheOptions(String command, String option) {
        Run run = Run.of(command, "--help");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains(option);
    }

    @Test
    void theVersionIsThatOfTheBuild() {
        Run run = Run.of("--version");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).matches("flexpool-benchmarks \\d+\\.\\d+\\.\\d+\\S*\\s*");
    }
}
