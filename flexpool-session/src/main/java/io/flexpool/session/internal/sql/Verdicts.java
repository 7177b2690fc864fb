// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session.internal.sql;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A bounded cache of verdicts by text. Thread-safe.
 *
 * <p>Most applications run some hundreds of constant texts. An application that writes literals into its texts would
 * fill any cache, so beyond its bounds this cache is cleared. The constant texts return after one classification each.
 * Long texts are not cached.
 */
public final class Verdicts {
    static final int MAX_TEXTS = 2_048;
    static final int MAX_LENGTH = 4_096;
    static final int MAX_CHARACTERS = 1_000_000;

    private final StatementClassifier classifier;
    private final ConcurrentHashMap<String, Verdict> known = new ConcurrentHashMap<>();
    private final AtomicInteger characters = new AtomicInteger();

    /**
     * Creates an empty cache.
     *
     * @param classifier classifies the texts that are not in the cache
     */
    public Verdicts(StatementClassifier classifier) {
        this.classifier = classifier;
    }

    /**
     * The verdict on a text.
     *
     * @param sql the text, as the application passes it to JDBC
     * @return the cached or new verdict
     */
    public Verdict of(String sql) {
        @Nullable Verdict verdict = known.get(sql);
        return verdict != null ? verdict : classified(sql);
    }

    private Verdict classified(String sql) {
        Verdict verdict = classifier.classify(sql);
        if (sql.length() <= MAX_LENGTH) {
            if (known.size() >= MAX_TEXTS || characters.get() + sql.length() > MAX_CHARACTERS) {
                known.clear();
                characters.set(0);
            }
            if (known.putIfAbsent(sql, verdict) == null) {
                characters.addAndGet(sql.length());
            }
        }
        return verdict;
    }

    int size() {
        return known.size();
    }
}
