// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import io.flexpool.cli.Nearest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** Reads a project and checks it. */
final class Linter {
    private final Project project;
    private final Map<String, Finding> findings = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> unknown = new ArrayList<>();

    private Linter(Project project) {
        this.project = project;
    }

    /**
     * The result.
     *
     * @param findings the findings, by file and line
     * @param suppressed the number of findings suppressed by comments
     * @param unknown the unchecked parts, as sentences
     * @param problems the unreadable parts, as sentences
     * @param files the number of read files
     */
    record Result(List<Finding> findings, int suppressed, List<String> unknown, List<String> problems, int files) {}

    /**
     * Reads and checks a project.
     *
     * @param tests whether to read test resources too
     * @param available the server's connections for these applications; negative if unknown
     * @throws IOException if the directory cannot be read
     */
    static Result run(Path directory, boolean tests, int available) throws IOException {
        Project project = new Project(directory, tests);
        project.read();
        Linter linter = new Linter(project);
        linter.judge(available);
        return linter.result();
    }

    private void judge(int available) {
        List<Application> applications = project.applications();
        unknown.addAll(project.unknown());
        boolean pools = !project.xml().isEmpty();
        for (Application application : applications) {
            for (Application.View view : application.views()) {
                PoolChecks checks = new PoolChecks(application, view, this::add);
                checks.run();
                pools |= checks.hasPool();
                String notJudged = checks.notJudged();
                if (notJudged != null && !unknown.contains("whether " + notJudged)) {
                    unknown.add("whether " + notJudged);
                }
            }
            PasswordCheck.run(application, this::add);
            marked(application);
        }
        if (!pools && project.problems().isEmpty()) {
            unknown.add("whether there is a pool: no settings of Spring Boot with a data source, and no context.xml or"
                    + " persistence.xml, were found");
        }
        sources(applications);
        project.xml().forEach((file, text) -> {
            try {
                XmlChecks.run(file, text, project.hasPoolOfHibernate(file), this::add);
            } catch (IOException broken) {
                problems.add(file + ": " + broken.getMessage());
            }
        });
        instances(applications, available);
    }

    /** Reports the first setting of a properties file that begins with a byte order mark. */
    private void marked(Application application) {
        for (SettingsFile file : application.files()) {
            // An empty file has no document.
            for (Setting each : file.documents().isEmpty()
                    ? List.<Setting>of()
                    : file.documents().get(0).settings()) {
                if (each.key().length() > 1
                        && each.key().startsWith(Setting.MARK)
                        && Character.isLetter(each.key().charAt(1))) {
                    add(new Finding(
                            Rule.IGNORED_SETTING,
                            each.file(),
                            each.line(),
                            each.key().substring(1)
                                    + " is not read: the byte order mark of the file becomes part of the key",
                            "the file in UTF-8 without a byte order mark"));
                }
            }
        }
    }

    /**
     * Checks the code of applications with a pool: code in an application's folder against its pool, other code against
     * the only application's.
     */
    private void sources(List<Application> applications) {
        SourceChecks checks = new SourceChecks(project.sources(), this::add);
        for (SourceFile source : project.sources()) {
            Application of = null;
            for (Application each : applications) {
                boolean inside =
                        each.folder().toString().isEmpty() || source.file().startsWith(each.folder());
                if (inside
                        && (of == null
                                || each.folder().getNameCount() >= of.folder().getNameCount())) {
                    of = each;
                }
            }
            Application known = of == null && applications.size() == 1 ? applications.get(0) : of;
            if (known != null) {
                List<PoolChecks> pools = known.views().stream()
                        .map(view -> new PoolChecks(known, view, finding -> {}))
                        .toList();
                if (pools.stream().anyMatch(PoolChecks::hasServer)) {
                    checks.run(source, pools.get(0).smallerThanThreads());
                }
            }
        }
    }

    private void add(Finding finding) {
        // Views of one setting differ in their figures; keys on one line are different settings.
        boolean ofKey = finding.rule() == Rule.IGNORED_SETTING || finding.rule() == Rule.PASSWORD;
        findings.putIfAbsent(
                finding.rule() + " " + finding.file() + " " + finding.line() + (ofKey ? finding.what() : ""), finding);
    }

    /** Checks the sum over all instances. A workload belongs to the application of its name, or to the only one. */
    private void instances(List<Application> applications, int available) {
        List<Outside.Workload> workloads = project.outside().workloads();
        if (workloads.isEmpty() || applications.isEmpty()) {
            return;
        }
        if (available < 0) {
            unknown.add("whether all instances fit: give --max-connections, the server's limit minus its reserved"
                    + " connections");
            return;
        }
        long sum = 0;
        Outside.Workload largest = workloads.get(0);
        StringBuilder parts = new StringBuilder();
        for (Outside.Workload workload : workloads) {
            OptionalInt each = connections(applications, workload, workloads.size() == 1);
            if (each.isEmpty()) {
                unknown.add("how many connections an instance of " + workload.name()
                        + " opens: use flexpool budget with --pool " + workload.name() + "=N");
                return;
            }
            sum += (long) each.getAsInt() * workload.instances();
            largest = workload.instances() > largest.instances() ? workload : largest;
            parts.append(parts.isEmpty() ? "" : " + ")
                    .append(workload.instances())
                    .append(" x ")
                    .append(each.getAsInt());
        }
        if (sum > available) {
            add(Finding.of(
                    Rule.MAX_CONNECTIONS,
                    largest.at(),
                    parts + " = " + sum + " connections, " + available + " are available"));
        }
    }

    private static OptionalInt connections(List<Application> applications, Outside.Workload workload, boolean only) {
        List<Application> named = applications.stream()
                .filter(each ->
                        workload.name().equals(String.valueOf(each.folder().getFileName())))
                .toList();
        List<Application> of = named.isEmpty() && only && applications.size() == 1 ? applications : named;
        if (of.size() != 1 || of.get(0).ownPools()) {
            return OptionalInt.empty();
        }
        int most = -1;
        for (Application.View view : of.get(0).views()) {
            OptionalInt each = new PoolChecks(of.get(0), view, finding -> {}).connections();
            if (each.isEmpty()) {
                return each;
            }
            most = Math.max(most, each.getAsInt());
        }
        return most < 0 ? OptionalInt.empty() : OptionalInt.of(most);
    }

    private Result result() {
        List<Finding> shown = new ArrayList<>();
        int suppressed = 0;
        for (Finding each : findings.values()) {
            Collection<String> rules = project.suppressed().getOrDefault(each.file(), Set.of());
            if (rules.contains(each.rule().id())) {
                suppressed++;
            } else {
                shown.add(each);
            }
        }
        shown.sort(Comparator.comparing((Finding each) -> each.file().toString())
                .thenComparingInt(Finding::line)
                .thenComparing(Finding::rule));
        List<String> all = new ArrayList<>(project.problems());
        all.addAll(problems);
        project.suppressed()
                .forEach((file, rules) -> rules.stream()
                        .filter(rule -> !Rule.ids().contains(rule))
                        .forEach(rule -> all.add(file + ": 'flexpool: ignore " + rule + "' names no rule"
                                + Nearest.to(rule, Rule.ids(), "; the nearest one is ", ""))));
        return new Result(shown, suppressed, unknown, all, project.files());
    }
}
