// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds transactions that hold their connection while they wait for another service or a second connection. Reports
 * only cases that are certain from the text.
 */
final class SourceChecks {
    private static final String REQUIRES_NEW = "REQUIRES_NEW";
    private static final Pattern NO_TRANSACTION = Pattern.compile("\\b(?:NOT_SUPPORTED|NEVER|SUPPORTS)\\b");
    private static final Pattern TRANSACTIONAL = Pattern.compile("@(?:[\\w.]+\\.)?Transactional\\b(?!EventListener)");
    private static final Pattern OTHER_THREADS =
            Pattern.compile("@(?:Async|Scheduled|EventListener|\\w+Listener|PostConstruct)\\b");
    /** After these words another thread may make the call, or the same thread after the transaction. */
    private static final Pattern LATER = Pattern.compile(
            "Async\\s*\\(|\\bsubmit\\s*\\(|\\bexecutor?\\w*\\s*\\.|\\bafterCommit|registerSynchronization|new\\s+Thread\\b|\\bsubscribe\\s*\\(|\\blaunch\\s*[({]|\\basync\\s*[({]|TransactionTemplate|transactionTemplate");
    /** The blocking clients, with the methods that make the call. */
    private static final Map<String, Pattern> CLIENTS = Map.of(
            "RestTemplate",
            Pattern.compile(
                    "\\.(?:getFor\\w+|postFor\\w+|exchange|execute|put|delete|patchForObject|headForHeaders)\\s*(?:<[^;{}()]*>)?\\("),
            "RestClient",
            Pattern.compile("\\.(?:body|toEntity|toBodilessEntity|exchange)\\s*(?:<[^;{}()]*>)?\\("),
            "WebClient",
            Pattern.compile(
                    "\\.(?:block|blockOptional|awaitBody|awaitBodyOrNull|awaitExchange)\\s*(?:<[^;{}()]*>)?\\("),
            "HttpClient",
            Pattern.compile("\\.(?:send|execute)\\s*\\("),
            "CloseableHttpClient",
            Pattern.compile("\\.execute\\s*\\("),
            "OkHttpClient",
            Pattern.compile("\\A(?>[^;]*?\\.newCall\\s*\\()[^;]*?\\.execute\\s*\\("));

    private static final int DEEPEST = 4;
    private static final int LONGEST = 4_000;

    private final Map<String, List<SourceFile>> types = new TreeMap<>();
    private final Consumer<Finding> report;

    SourceChecks(List<SourceFile> sources, Consumer<Finding> report) {
        for (SourceFile each : sources) {
            types.computeIfAbsent(each.name(), unknown -> new ArrayList<>()).add(each);
        }
        this.report = report;
    }

    /**
     * Checks all transactions of a type.
     *
     * @param pool the numbers of connections and threads, for messages; empty if a second connection is no danger
     */
    void run(SourceFile source, String pool) {
        boolean all = TRANSACTIONAL.matcher(source.header()).find()
                && !NO_TRANSACTION.matcher(source.header()).find();
        for (SourceFile.Method each : source.methods()) {
            boolean own = TRANSACTIONAL.matcher(each.header()).find();
            boolean hidden = each.has("private ") || each.has("static ");
            boolean open = each.has("public ") || each.has("fun ");
            if (!hidden
                    && (own || (all && open))
                    && !NO_TRANSACTION.matcher(each.header()).find()) {
                // The number of threads that run these methods is unknown.
                boolean ofRequests = !OTHER_THREADS.matcher(each.header()).find();
                judge(source, each, ofRequests ? pool : "", new HashSet<>(), 0);
            }
        }
    }

    private void judge(SourceFile source, SourceFile.Method method, String pool, Set<String> known, int depth) {
        Matcher later = LATER.matcher(method.body());
        String body = method.body()
                .substring(0, later.find() ? later.start() : method.body().length());
        source.fields().forEach((name, type) -> {
            Matcher use = Pattern.compile("(?<![\\w.])(?:this\\s*\\.\\s*)?" + name + "\\s*\\.")
                    .matcher(body);
            while (use.find()) {
                int end = body.indexOf(';', use.end());
                String statement =
                        body.substring(use.end() - 1, Math.min(end < 0 ? body.length() : end, use.end() + LONGEST));
                call(source, method, type, statement, method.lineOf(use.start()), pool);
            }
        });
        // Called methods of the same type are in the same transaction.
        for (SourceFile.Method each : depth < DEEPEST ? source.methods() : List.<SourceFile.Method>of()) {
            boolean once = source.methods().stream()
                            .filter(other -> other.name().equals(each.name()))
                            .count()
                    == 1;
            if (once
                    && !each.name().equals(method.name())
                    && Pattern.compile("(?<![\\w.])(?:this\\.)?" + each.name() + "\\s*\\(")
                            .matcher(body)
                            .find()
                    && known.add(each.name())) {
                judge(source, each, pool, known, depth + 1);
            }
        }
    }

    private void call(
            SourceFile source, SourceFile.Method method, String type, String statement, int line, String pool) {
        List<SourceFile> named = types.getOrDefault(type, List.of());
        Pattern client = named.isEmpty() ? CLIENTS.get(type) : null;
        boolean feign = named.size() == 1 && named.get(0).header().contains("@FeignClient");
        if (feign || (client != null && client.matcher(statement).find())) {
            report.accept(new Finding(
                    Rule.HTTP_IN_TRANSACTION,
                    source.file(),
                    line,
                    method.name() + " calls " + type + " in a transaction",
                    Rule.HTTP_IN_TRANSACTION.instead()));
        }
        if (named.size() == 1 && !pool.isEmpty()) {
            Matcher called = Pattern.compile("\\.\\s*(\\w+)\\s*\\(").matcher(statement);
            if (called.lookingAt()) {
                List<SourceFile.Method> targets = named.get(0).methods().stream()
                        .filter(each -> each.name().equals(called.group(1)))
                        .toList();
                if (targets.size() == 1
                        && targets.get(0).has(REQUIRES_NEW)
                        && !targets.get(0).has("@Async")) {
                    report.accept(new Finding(
                            Rule.NESTED_TRANSACTION,
                            source.file(),
                            line,
                            method.name() + " needs a second connection for " + type + "." + called.group(1) + "; "
                                    + pool,
                            Rule.NESTED_TRANSACTION.instead()));
                }
            }
        }
    }
}
