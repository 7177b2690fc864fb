// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Reports invalid {@code flexpool.*} properties instead of a stack trace. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class RefusedConfigurationAnalyzer extends AbstractFailureAnalyzer<RefusedConfiguration> {
    private static final String LINE = System.lineSeparator();

    /** Created by Spring Boot. */
    RefusedConfigurationAnalyzer() {}

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, RefusedConfiguration cause) {
        StringBuilder description = new StringBuilder("flexpool's configuration is refused:").append(LINE);
        String.valueOf(cause.getMessage())
                .lines()
                .forEach(problem -> description.append(LINE).append("    ").append(problem));
        if (!cause.given().isEmpty()) {
            description.append(LINE).append(LINE).append("Configured:").append(LINE);
            cause.given()
                    .forEach(line -> description.append(LINE).append("    ").append(line));
        }
        String action =
                "Correct the properties named above. flexpool.datasources.<bean>.enabled=false excludes one data source,"
                        + " flexpool.enabled=false all of them.";
        return new FailureAnalysis(description.toString(), action, cause);
    }
}
