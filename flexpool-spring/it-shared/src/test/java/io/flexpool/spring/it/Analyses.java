// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import java.util.Objects;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

/** What Spring Boot would print about a failed start: runs all its analyzers in its order. */
final class Analyses {
    private Analyses() {}

    static FailureAnalysis of(ApplicationContextRunner runner) {
        FailureAnalysis[] found = new FailureAnalysis[1];
        runner.run(context -> found[0] = of(context));
        return Objects.requireNonNull(found[0]);
    }

    private static FailureAnalysis of(AssertableApplicationContext context) {
        Throwable failure = context.getStartupFailure();
        if (failure == null) {
            throw new AssertionError("the application has started");
        }
        FailureHandler without = (type, name, needsSomething) -> {};
        return SpringFactoriesLoader.forDefaultResourceLocation(Analyses.class.getClassLoader())
                .load(FailureAnalyzer.class, null, without)
                .stream()
                .map(analyzer -> analyzer.analyze(failure))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no analyzer explains it", failure));
    }
}
