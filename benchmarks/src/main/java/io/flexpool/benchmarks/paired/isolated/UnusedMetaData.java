// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.paired.isolated;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.RowIdLifetime;
import java.sql.SQLException;

/** A driver's metadata in which nothing works; a subclass implements what is used. */
abstract class UnusedMetaData implements DatabaseMetaData {
    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("not part of the cycle");
    }

    @Override
    public boolean allProceduresAreCallable() throws SQLException {
        throw unused();
    }

    @Override
    public boolean allTablesAreSelectable() throws SQLException {
        throw unused();
    }

    @Override
    public boolean autoCommitFailureClosesAllResultSets() throws SQLException {
        throw unused();
    }

    @Override
    public boolean dataDefinitionCausesTransactionCommit() throws SQLException {
        throw unused();
    }

    @Override
    public boolean dataDefinitionIgnoredInTransactions() throws SQLException {
        throw unused();
    }

    @Override
    public boolean deletesAreDetected(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public boolean doesMaxRowSizeIncludeBlobs() throws SQLException {
        throw unused();
    }

    @Override
    public boolean generatedKeyAlwaysReturned() throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getAttributes(String p1, String p2, String p3, String p4) throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getBestRowIdentifier(String p1, String p2, String p3, int p4, boolean p5) throws SQLException {
        throw unused();
    }

    @Override
    public String getCatalogSeparator() throws SQLException {
        throw unused();
    }

    @Override
    public String getCatalogTerm() throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getCatalogs() throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getClientInfoProperties() throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getColumnPrivileges(String p1, String p2, String p3, String p4) throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getColumns(String p1, String p2, String p3, String p4) throws SQLException {
        throw unused();
    }

    @Override
    public Connection getConnection() throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getCrossReference(String p1, String p2, String p3, String p4, String p5, String p6)
            throws SQLException {
        throw unused();
    }

    @Override
    public int getDatabaseMajorVersion() throws SQLException {
        throw unused();
    }

    @Override
    public int getDatabaseMinorVersion() throws SQLException {
        throw unused();
    }

    @Override
    public String getDatabaseProductName() throws SQLException {
        throw unused();
    }

    @Override
    public String getDatabaseProductVersion() throws SQLException {
        throw unused();
    }

    @Override
    public int getDefaultTransactionIsolation() throws SQLException {
        throw unused();
    }

    @Override
    public int getDriverMajorVersion() {
        throw unused();
    }

    @Override
    public int getDriverMinorVersion() {
        throw unused();
    }

    @Override
    public String getDriverName() throws SQLException {
        throw unused();
    }

    @Override
    public String getDriverVersion() throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getExportedKeys(String p1, String p2, String p3) throws SQLException {
        throw unused();
    }

    @Override
    public String getExtraNameCharacters() throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getFunctionColumns(String p1, String p2, String p3, String p4) throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getFunctions(String p1, String p2, String p3) throws SQLException {
        throw unused();
    }

    @Override
    public String getIdentifierQuoteString() throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getImportedKeys(String p1, String p2, String p3) throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getIndexInfo(String p1, String p2, String p3, boolean p4, boolean p5) throws SQLException {
        throw unused();
    }

    @Override
    public int getJDBCMajorVersion() throws SQLException {
        throw unused();
    }

    @Override
    public int getJDBCMinorVersion() throws SQLException {
        throw unused();
    }

    @Override
    public int getMaxBinaryLiteralLength() throws SQLException {
        throw unused();
    }

    @Override
    public int getMaxCatalogNameLength() throws SQLException {
        throw unused();
    }

    @Override
    public int getMaxCharLiteralLength() throws SQLException {
        throw unused();
    }

    @Override
    public int getMaxColumnNameLength() throws SQLException {
        throw unused();
    }

    @Override
    public int getMaxColumnsInGroupBy() throws SQLException {
        throw unused();
    }

    @Override
    public int getMaxColumnsInIndex() throws SQLException {
        throw unused();
    }

    @Override
    public int getMaxColumnsInOrderBy() throws SQLException {
        throw unused();
    }

    @Override
    public int getMaxColumnsInSelect() throws SQLException {
        throw unused();
    }

    @Override
    public int getMaxColumnsInTable() throws SQLException {
        throw unused();
    }

    @Override
    public int getMaxConnections() throws SQLException {
        throw unused();
    }

    @Override
    public int getMaxCursorNameLength() throws SQLException {
        throw unused();
    }

    @Override
    public int getMaxIndexLength() throws SQLException {
        throw unused();
    }

    @Override
    public int getMaxProcedureNameLength() throws SQLException {
        throw unused();
    }

    @Override
    public int getMaxRowSize() throws SQLException {
        throw unused();
    }

    @Override
    public int getMaxSchemaNameLength() throws SQLException {
        throw unused();
    }

    @Override
    public int getMaxStatementLength() throws SQLException {
        throw unused();
    }

    @Override
    public int getMaxStatements() throws SQLException {
        throw unused();
    }

    @Override
    public int getMaxTableNameLength() throws SQLException {
        throw unused();
    }

    @Override
    public int getMaxTablesInSelect() throws SQLException {
        throw unused();
    }

    @Override
    public int getMaxUserNameLength() throws SQLException {
        throw unused();
    }

    @Override
    public String getNumericFunctions() throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getPrimaryKeys(String p1, String p2, String p3) throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getProcedureColumns(String p1, String p2, String p3, String p4) throws SQLException {
        throw unused();
    }

    @Override
    public String getProcedureTerm() throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getProcedures(String p1, String p2, String p3) throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getPseudoColumns(String p1, String p2, String p3, String p4) throws SQLException {
        throw unused();
    }

    @Override
    public int getResultSetHoldability() throws SQLException {
        throw unused();
    }

    @Override
    public RowIdLifetime getRowIdLifetime() throws SQLException {
        throw unused();
    }

    @Override
    public String getSQLKeywords() throws SQLException {
        throw unused();
    }

    @Override
    public int getSQLStateType() throws SQLException {
        throw unused();
    }

    @Override
    public String getSchemaTerm() throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getSchemas() throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getSchemas(String p1, String p2) throws SQLException {
        throw unused();
    }

    @Override
    public String getSearchStringEscape() throws SQLException {
        throw unused();
    }

    @Override
    public String getStringFunctions() throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getSuperTables(String p1, String p2, String p3) throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getSuperTypes(String p1, String p2, String p3) throws SQLException {
        throw unused();
    }

    @Override
    public String getSystemFunctions() throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getTablePrivileges(String p1, String p2, String p3) throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getTableTypes() throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getTables(String p1, String p2, String p3, String[] p4) throws SQLException {
        throw unused();
    }

    @Override
    public String getTimeDateFunctions() throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getTypeInfo() throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getUDTs(String p1, String p2, String p3, int[] p4) throws SQLException {
        throw unused();
    }

    @Override
    public String getURL() throws SQLException {
        throw unused();
    }

    @Override
    public String getUserName() throws SQLException {
        throw unused();
    }

    @Override
    public ResultSet getVersionColumns(String p1, String p2, String p3) throws SQLException {
        throw unused();
    }

    @Override
    public boolean insertsAreDetected(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public boolean isCatalogAtStart() throws SQLException {
        throw unused();
    }

    @Override
    public boolean isReadOnly() throws SQLException {
        throw unused();
    }

    @Override
    public boolean isWrapperFor(Class<?> p1) throws SQLException {
        throw unused();
    }

    @Override
    public boolean locatorsUpdateCopy() throws SQLException {
        throw unused();
    }

    @Override
    public boolean nullPlusNonNullIsNull() throws SQLException {
        throw unused();
    }

    @Override
    public boolean nullsAreSortedAtEnd() throws SQLException {
        throw unused();
    }

    @Override
    public boolean nullsAreSortedAtStart() throws SQLException {
        throw unused();
    }

    @Override
    public boolean nullsAreSortedHigh() throws SQLException {
        throw unused();
    }

    @Override
    public boolean nullsAreSortedLow() throws SQLException {
        throw unused();
    }

    @Override
    public boolean othersDeletesAreVisible(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public boolean othersInsertsAreVisible(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public boolean othersUpdatesAreVisible(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public boolean ownDeletesAreVisible(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public boolean ownInsertsAreVisible(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public boolean ownUpdatesAreVisible(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public boolean storesLowerCaseIdentifiers() throws SQLException {
        throw unused();
    }

    @Override
    public boolean storesLowerCaseQuotedIdentifiers() throws SQLException {
        throw unused();
    }

    @Override
    public boolean storesMixedCaseIdentifiers() throws SQLException {
        throw unused();
    }

    @Override
    public boolean storesMixedCaseQuotedIdentifiers() throws SQLException {
        throw unused();
    }

    @Override
    public boolean storesUpperCaseIdentifiers() throws SQLException {
        throw unused();
    }

    @Override
    public boolean storesUpperCaseQuotedIdentifiers() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsANSI92EntryLevelSQL() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsANSI92FullSQL() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsANSI92IntermediateSQL() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsAlterTableWithAddColumn() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsAlterTableWithDropColumn() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsBatchUpdates() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsCatalogsInDataManipulation() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsCatalogsInIndexDefinitions() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsCatalogsInPrivilegeDefinitions() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsCatalogsInProcedureCalls() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsCatalogsInTableDefinitions() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsColumnAliasing() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsConvert() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsConvert(int p1, int p2) throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsCoreSQLGrammar() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsCorrelatedSubqueries() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsDataDefinitionAndDataManipulationTransactions() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsDataManipulationTransactionsOnly() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsDifferentTableCorrelationNames() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsExpressionsInOrderBy() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsExtendedSQLGrammar() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsFullOuterJoins() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsGetGeneratedKeys() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsGroupBy() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsGroupByBeyondSelect() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsGroupByUnrelated() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsIntegrityEnhancementFacility() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsLikeEscapeClause() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsLimitedOuterJoins() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsMinimumSQLGrammar() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsMixedCaseIdentifiers() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsMixedCaseQuotedIdentifiers() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsMultipleOpenResults() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsMultipleResultSets() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsMultipleTransactions() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsNamedParameters() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsNonNullableColumns() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsOpenCursorsAcrossCommit() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsOpenCursorsAcrossRollback() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsOpenStatementsAcrossCommit() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsOpenStatementsAcrossRollback() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsOrderByUnrelated() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsOuterJoins() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsPositionedDelete() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsPositionedUpdate() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsResultSetConcurrency(int p1, int p2) throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsResultSetHoldability(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsResultSetType(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsSavepoints() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsSchemasInDataManipulation() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsSchemasInIndexDefinitions() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsSchemasInPrivilegeDefinitions() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsSchemasInProcedureCalls() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsSchemasInTableDefinitions() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsSelectForUpdate() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsStatementPooling() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsStoredFunctionsUsingCallSyntax() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsStoredProcedures() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsSubqueriesInComparisons() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsSubqueriesInExists() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsSubqueriesInIns() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsSubqueriesInQuantifieds() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsTableCorrelationNames() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsTransactionIsolationLevel(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsTransactions() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsUnion() throws SQLException {
        throw unused();
    }

    @Override
    public boolean supportsUnionAll() throws SQLException {
        throw unused();
    }

    @Override
    public <T> T unwrap(Class<T> p1) throws SQLException {
        throw unused();
    }

    @Override
    public boolean updatesAreDetected(int p1) throws SQLException {
        throw unused();
    }

    @Override
    public boolean usesLocalFilePerTable() throws SQLException {
        throw unused();
    }

    @Override
    public boolean usesLocalFiles() throws SQLException {
        throw unused();
    }
}
